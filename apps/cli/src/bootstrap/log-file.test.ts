import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLog } from './log-file.ts';

it('keeps a bounded number of bounded files, the newest lines in the first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-log-'));
  const path = join(folder, 'logs', 'worker.log');
  const log = openLog(path, { maxBytes: 400, keep: 2 });
  for (let line = 0; line < 50; line += 1) log.write(`line ${line}`);
  openLog(path, { maxBytes: 400, keep: 2 }).write('after a reopen');
  const newest = await readFile(path, 'utf8');
  expect(newest).toContain('after a reopen');
  expect(newest.length).toBeLessThanOrEqual(400);
  expect(await readFile(`${path}.1`, 'utf8')).toMatch(/line 4\d/);
  expect(existsSync(`${path}.2`)).toBe(true);
  expect(existsSync(`${path}.3`)).toBe(false);
  await rm(folder, { recursive: true });
});
