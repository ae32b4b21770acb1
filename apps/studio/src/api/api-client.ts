import { allPages } from '@cua-forge/api-client/all-pages';
import { createApiClient } from '@cua-forge/api-client/api-client';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Json } from '@cua-forge/spec/json';
import type { PackageReview } from '@cua-forge/spec/review';
import type { PackageRecord } from '@cua-forge/spec/store-port';
import type { FileValue, ValueRef } from '@cua-forge/spec/value';
import { takeEarly } from './early.ts';

/** Called after each request: whether the server answered at all. */
type Reach = (reached: boolean) => void;
let onReach: Reach = () => {};
export function watchReach(listener: Reach): void {
  onReach = listener;
}

/** Called when an answer says that nobody is logged in (any more). */
let onLoggedOut: () => void = () => {};
export function watchLoggedOut(listener: () => void): void {
  onLoggedOut = listener;
}

/** The API at the page's own origin. */
export const api = createApiClient({
  url: '',
  async fetch(address, request) {
    const early = request?.method === 'GET' && typeof address === 'string' ? await takeEarly(address) : null;
    const response = early ?? (await fetch(address, request));
    if (response.status === 401) onLoggedOut();
    return response;
  },
  onReach: (reached) => onReach(reached),
  advice: 'Start it (npm start) and try again; nothing in this window is lost.',
});

export const allDocuments = () => allPages(api.documents, ({ documents }) => documents);
/** Every document, with the revision that is published, or null. */
export const documentsWithPublished = () =>
  allPages(api.documents, ({ documents, published }) =>
    documents.map((document) => ({ ...document, published: published[document.id]?.revision ?? null })),
  );
export const allPackages = (runId?: string) =>
  allPages(
    (page) => api.packages(runId === undefined ? page : { ...page, runId }),
    ({ packages }) => packages,
  );

/** Every package, with the verdicts that people gave. */
export async function everyPackage(): Promise<{ packages: PackageRecord[]; reviews: PackageReview[] }> {
  const reviews: PackageReview[] = [];
  const packages = await allPages(api.packages, (page) => {
    reviews.push(...Object.values(page.reviews));
    return page.packages;
  });
  return { packages, reviews };
}

export const readValue = (ref: ValueRef): Promise<Json> =>
  api.value(ref.hash, ref.index === undefined ? {} : { index: ref.index });

export const uploadFile = async (file: File): Promise<FileValue> =>
  api.uploadFile(new Uint8Array(await file.arrayBuffer()), { name: file.name });

export const fileUrl = (file: { hash: string; name: string; mediaType: string }): string =>
  `/api/files/${file.hash}?${new URLSearchParams({ name: file.name, type: file.mediaType })}`;
export const archiveUrl = (id: string): string => `/api/packages/${encodeURIComponent(id)}/archive`;

/** Bytes of a stored file. @throws ForgeError */
export async function fileBytes(file: FileValue): Promise<Uint8Array> {
  const response = await fetch(fileUrl(file));
  if (!response.ok) throw new ForgeError('artifact.missing', `The bytes of ${file.name} are not in the store.`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Text of a stored file. @throws ForgeError */
export async function fileText(file: FileValue): Promise<string> {
  const response = await fetch(fileUrl(file));
  if (!response.ok) throw new ForgeError('artifact.missing', `The bytes of ${file.name} are not in the store.`);
  return response.text();
}
