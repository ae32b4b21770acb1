import { allPages } from '@cua-forge/api-client/all-pages';
import { methodsOf } from '@cua-forge/api-client/methods';
import type { PackageReview } from '@cua-forge/spec/review';
import { packagesRoutes } from '@cua-forge/spec/routes/packages.routes';
import type { PackageRecord } from '@cua-forge/spec/store-port';
import { http } from './http.ts';

export const packagesApi = methodsOf(http, packagesRoutes);

export const allPackages = (runId?: string) =>
  allPages(
    (page) => packagesApi.packages(runId === undefined ? page : { ...page, runId }),
    ({ packages }) => packages,
  );

/** Every package, with the verdicts that people gave. */
export async function everyPackage(): Promise<{ packages: PackageRecord[]; reviews: PackageReview[] }> {
  const reviews: PackageReview[] = [];
  const packages = await allPages(packagesApi.packages, (page) => {
    reviews.push(...Object.values(page.reviews));
    return page.packages;
  });
  return { packages, reviews };
}

export const archiveUrl = (id: string): string => `/api/packages/${encodeURIComponent(id)}/archive`;
