import { afterEach, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { topLevelViews } from './top-level-views.ts';

let server: TestServer;
afterEach(() => server.stop());

it('leaves map items out, however many there are', async () => {
  server = await startTestServer();
  const items = Array.from({ length: 1_200 }, (_, index) => `files[${index}]/draft`);
  const keys = ['a', 'files', ...items, 'files-b', 'polish#2/judge', 'sub/files[0]/x', 'sub/z', 'zz'];
  await server.store.meta.saveNodeViews(
    keys.map((key, seq) => ({
      runId: 'r',
      key,
      seq,
      token: 1,
      status: 'running',
      round: 1,
      attempt: 1,
      failure: null,
      note: null,
      counts: null,
      at: 1,
    })),
  );
  const views = await topLevelViews(server.store.meta, 'r');
  expect(views.map((view) => view.key).sort()).toEqual(['a', 'files', 'files-b', 'polish#2/judge', 'sub/z', 'zz']);
});
