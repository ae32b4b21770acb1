import { setTimeout as sleep } from 'node:timers/promises';
import { toForgeError } from '@cua-forge/spec/errors';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openStore } from '../open-store.ts';
import { type StoreSettings, storeSettings } from '../store-settings.ts';
import { expectWhole, writeAndKill } from '../testing/kill-writer.ts';
import { type PostgresServer, startPostgres } from '../testing/postgres-server.ts';
import { type S3Server, startS3 } from '../testing/s3-server.ts';

let postgres: PostgresServer;
let s3: S3Server;
let env: Record<string, string> = {};
let settings: StoreSettings = { folder: '' };
beforeAll(async () => {
  [postgres, s3] = await Promise.all([startPostgres(), startS3()]);
  Object.assign(process.env, s3.credentials);
  env = { DATABASE_URL: await postgres.createDatabase(), FORGE_ARTIFACTS: s3.address };
  settings = storeSettings(env, 'unused');
});
afterAll(async () => {
  await Promise.all([postgres.stop(), s3.stop()]);
});

describe('Postgres and S3 store', { timeout: 120_000 }, () => {
  it('holds only whole commits and whole artifacts after kill -9 of a writer', async () => {
    let acknowledged = 0;
    for (const milliseconds of [5, 45, 130]) {
      acknowledged = await writeAndKill({ folder: 'unused', env }, 'killed', acknowledged + 1, milliseconds);
      const store = await openStore(settings);
      await expectWhole(store, 'killed', acknowledged);
      await store.meta.close();
    }
  });

  it('holds what was acknowledged after kill -9 of Postgres, and goes on when that is back', async () => {
    const [open, wake] = [await openStore(settings), vi.fn()];
    open.meta.watch(wake);
    const place = { folder: 'unused', env };
    const acknowledged = await writeAndKill(place, 'database', 1, 80, () => postgres.kill());
    await expect(open.meta.listDocuments()).rejects.toMatchObject({ code: 'store.unreachable' });
    await expect(open.meta.setPin('killed', 'node', {})).rejects.toMatchObject({ code: 'store.unreachable' });
    await postgres.restart();
    await expectWhole(open, 'database', acknowledged);

    const other = await openStore(settings);
    await vi.waitFor(
      async () => {
        wake.mockClear();
        await other.meta.setPin('killed', 'node', {});
        await vi.waitFor(() => expect(wake).toHaveBeenCalled(), { timeout: 500, interval: 20 });
      },
      { timeout: 20_000, interval: 100 },
    );
    await Promise.all([open.meta.close(), other.meta.close()]);
  });

  it('outlives a database that is killed while connections are in use, and every call settles', async () => {
    const open = await openStore(settings);
    const uncaught: Error[] = [];
    const onUncaught = (error: Error) => uncaught.push(error);
    process.on('uncaughtExceptionMonitor', onUncaught);
    let going = true;
    const seen = new Set<string>();
    const again = async (call: () => Promise<unknown>): Promise<void> => {
      while (going) {
        const said = await call().then(
          () => 'done',
          (thrown: unknown) => toForgeError(thrown).code,
        );
        seen.add(said);
        if (said !== 'done') await sleep(20);
      }
    };
    const calls = ['a', 'b', 'c', 'd'].flatMap((key) => [
      again(() => open.meta.setPin('in use', key, {})),
      again(() => open.meta.listPins(key)),
      again(() => open.artifacts.put(Buffer.from(`${key} ${performance.now()}`))),
    ]);
    await vi.waitFor(() => expect(seen).toContain('done'), { timeout: 10_000 });
    await postgres.kill();
    await vi.waitFor(() => expect(seen).toContain('store.unreachable'), { timeout: 10_000 });
    await postgres.restart();
    seen.clear();
    await vi.waitFor(() => expect(seen).toContain('done'), { timeout: 20_000 });
    going = false;
    await Promise.all(calls);
    await open.meta.setPin('in use', 'last', {});
    expect(Object.keys(await open.meta.listPins('in use'))).toContain('last');
    await open.meta.close();
    process.off('uncaughtExceptionMonitor', onUncaught);
    expect(uncaught).toEqual([]);
  });
});
