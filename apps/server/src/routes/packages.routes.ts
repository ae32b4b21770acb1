import { packTar } from '@cua-forge/package-folder/package-folder';
import { PackageList, PackageView } from '@cua-forge/spec/api';
import { ForgeError } from '@cua-forge/spec/errors';
import type { MetaStore, PackageRecord } from '@cua-forge/spec/store-port';
import { TaskPackage } from '@cua-forge/spec/task';
import { Router } from 'express';
import { z } from 'zod';
import { sendDownload } from '../http/download.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { getJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';

const Path = z.object({ id: z.string().min(1) });
const ListQuery = z.strictObject({
  batchId: z.string().optional(),
  runId: z.string().optional(),
  skill: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(1000),
});

/** @throws ForgeError `not-found` */
async function findPackage(meta: MetaStore, id: string): Promise<PackageRecord> {
  const record = await meta.getPackage(id);
  if (record === null)
    throw new ForgeError('not-found', `There is no package "${id}".`, { fix: 'GET /api/packages lists them.' });
  return record;
}

export function packageRoutes({ store }: Services): Router {
  const router = Router();
  router.get(
    '/packages',
    endpoint(PackageList, (request) => {
      const { batchId, runId, skill, limit } = read(ListQuery, request.query, 'query');
      return store.meta.listPackages({
        limit,
        ...(batchId === undefined ? {} : { batchId }),
        ...(runId === undefined ? {} : { runId }),
        ...(skill === undefined ? {} : { skill }),
      });
    }),
  );
  router.get(
    '/packages/:id',
    endpoint(PackageView, async (request) => {
      const record = await findPackage(store.meta, read(Path, request.params, 'path').id);
      return { record, package: await getJson(store.artifacts, record.value.hash, TaskPackage, 'package') };
    }),
  );
  router.get('/packages/:id/archive', async (request, response) => {
    const { id } = read(Path, request.params, 'path');
    const { value } = await findPackage(store.meta, id);
    const taskPackage = await getJson(store.artifacts, value.hash, TaskPackage, 'package');
    const archive = await packTar(taskPackage, (file) => store.artifacts.get(file.hash));
    sendDownload(response, archive, `${id}.tar`, 'application/x-tar');
  });
  return router;
}
