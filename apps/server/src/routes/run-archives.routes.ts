import type { HandlersOf } from '../http/handlers.ts';
import { archiveOfRun, runOfArchive } from '../interchange/run-archive.ts';
import type { Services } from '../services.ts';

export const runArchiveRoutes = ({ store, now }: Services): HandlersOf<'runArchive' | 'importRun'> => ({
  runArchive: async ({ params: { id } }) => ({
    bytes: await archiveOfRun(store, id),
    name: `run-${id}.tar`,
    mediaType: 'application/x-tar',
  }),
  importRun: ({ body }) => runOfArchive(store, body, now()),
});
