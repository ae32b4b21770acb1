import { packTar } from '@cua-forge/package-folder/package-folder';
import type { VerdictFilter } from '@cua-forge/spec/api/packages';
import { StartRun } from '@cua-forge/spec/api/runs';
import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import { PackageVerdict } from '@cua-forge/spec/review';
import type { MetaStore, PackageRecord } from '@cua-forge/spec/store-port';
import { TaskPackage } from '@cua-forge/spec/task';
import { provingDocument } from '@cua-forge/spec/with-proof';
import { nextCursor, readCursor } from '../http/cursor.ts';
import { given } from '../http/given.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { importPackage } from '../interchange/import-package.ts';
import { getJson } from '../runs/json-artifact.ts';
import { startRun } from '../runs/start-run.ts';
import { seesHidden, withoutHidden } from '../security/hidden-values.ts';
import type { Services } from '../services.ts';

const verdictsOf = (filter: VerdictFilter): PackageVerdict[] =>
  filter === 'kept' ? PackageVerdict.options.filter((verdict) => verdict !== 'rejected') : [filter];

/** @throws ForgeError `not-found` */
export async function findPackage(meta: MetaStore, id: string): Promise<PackageRecord> {
  const record = await meta.getPackage(id);
  if (record === null) throw new ForgeError('not-found', `There is no package "${id}".`, { fix: listedAt('packages') });
  return record;
}

export const packageRoutes = (
  services: Services,
): HandlersOf<'packages' | 'package' | 'importPackage' | 'provePackage' | 'packageArchive'> => ({
  ...packageReads(services),
  provePackage: async ({ params: { id } }) => {
    const { value, seed } = await findPackage(services.store.meta, id);
    const made = await getJson(services.store.artifacts, value.hash, TaskPackage, 'package');
    return startRun(
      services,
      StartRun.parse({ document: provingDocument, inputs: { package: made }, seed, mode: 'batch' }),
    );
  },
});

const packageReads = ({
  store,
  now,
}: Services): HandlersOf<'packages' | 'package' | 'importPackage' | 'packageArchive'> => ({
  packages: async ({ query: { limit, cursor, verdict, ...filter } }) => {
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const verdicts = verdict === undefined ? undefined : verdictsOf(verdict);
    const packages = await store.meta.listPackages({ ...given({ ...filter, verdicts, before }), limit });
    const reviews = await store.meta.reviewsOf(packages.map(({ id }) => id));
    return {
      packages,
      reviews: Object.fromEntries(reviews.map((review) => [review.packageId, review])),
      next: nextCursor(packages, limit),
    };
  },

  package: async ({ params }) => {
    const record = await findPackage(store.meta, params.id);
    return {
      record,
      package: await getJson(store.artifacts, record.value.hash, TaskPackage, 'package'),
      reviews: await store.meta.listReviews(record.id),
    };
  },

  importPackage: ({ body }) => importPackage(store, body, now()),

  packageArchive: async ({ params: { id }, user }) => {
    const { value } = await findPackage(store.meta, id);
    const whole = await getJson(store.artifacts, value.hash, TaskPackage, 'package');
    const taskPackage = seesHidden(user) ? whole : TaskPackage.parse(withoutHidden(whole));
    const bytes = await packTar(taskPackage, (file) => store.artifacts.get(file.hash));
    return { bytes, name: `${id}.tar`, mediaType: 'application/x-tar' };
  },
});
