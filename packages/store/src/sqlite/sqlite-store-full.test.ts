import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openStore } from '../open-store.ts';
import { artifactOf, refTo, sampleBytes, sampleOutcome } from '../testing/samples.ts';

const disk = mkdtempSync(join(tmpdir(), 'forge-full-'));
const mounted = mountSmallDisk(disk);
afterAll(() => {
  if (mounted) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** A real disk that fills up needs the right to mount one; elsewhere the test of the folder simulates it. */
describe.skipIf(!mounted)('a disk that is full', () => {
  it('fails with store.full, leaves nothing half written, and goes on when there is space', {
    timeout: 30_000,
  }, async () => {
    const filler = join(disk, 'filler');
    await writeFile(filler, Buffer.alloc(1_000_000));
    const folder = join(disk, 'store');
    const store = await openStore({ folder });
    const runId = 'full';

    const stored: string[] = [];
    const put = async () => {
      for (;;) stored.push((await store.artifacts.put(sampleBytes(100_000))).hash);
    };
    await expect(put()).rejects.toMatchObject({ code: 'store.full', fix: expect.any(String) });
    expect(stored.length).toBeGreaterThan(5);
    expect(await readdir(join(folder, 'artifacts', 'tmp'))).toEqual([]);

    let token = 0;
    const commit = async () => {
      const small = artifactOf(sampleBytes(6_000));
      token += 1;
      await store.meta.commitOutcome(sampleOutcome({ runId, token, outputs: { text: refTo(small) } }), [small]);
    };
    const commitAll = async () => {
      for (;;) await commit();
    };
    await expect(commitAll()).rejects.toMatchObject({ code: 'store.full' });
    expect((await store.meta.listOutcomes(runId)).map((outcome) => outcome.token)).toEqual(upTo(token - 1));
    expect(await store.meta.listEvents({ after: 0, runId, limit: 1_000 })).toHaveLength(token - 1);

    await rm(filler);
    token -= 1;
    await commit();
    stored.push((await store.artifacts.put(sampleBytes(100_000))).hash);
    await store.meta.close();

    const again = await openStore({ folder });
    const outcomes = await again.meta.listOutcomes(runId);
    expect(outcomes.map((outcome) => outcome.token)).toEqual(upTo(token));
    for (const { outputs } of outcomes) {
      expect((await again.artifacts.get(outputs.text?.hash ?? '')).byteLength).toBe(6_000);
    }
    for (const hash of stored) expect((await again.artifacts.get(hash)).byteLength).toBe(100_000);
    await again.meta.close();
  });
});

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function mountSmallDisk(folder: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
