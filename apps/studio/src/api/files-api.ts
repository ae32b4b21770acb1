import { methodsOf } from '@cua-forge/api-client/methods';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Json } from '@cua-forge/spec/json';
import { filesRoutes } from '@cua-forge/spec/routes/files.routes';
import type { FileValue, ValueRef } from '@cua-forge/spec/value';
import { http } from './http.ts';

export const filesApi = methodsOf(http, filesRoutes);

export const readValue = (ref: ValueRef): Promise<Json> =>
  filesApi.value(ref.hash, ref.index === undefined ? {} : { index: ref.index });

export const uploadFile = async (file: File): Promise<FileValue> =>
  filesApi.uploadFile(new Uint8Array(await file.arrayBuffer()), { name: file.name });

export const fileUrl = (file: { hash: string; name: string; mediaType: string }): string =>
  `/api/files/${file.hash}?${new URLSearchParams({ name: file.name, type: file.mediaType })}`;

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
