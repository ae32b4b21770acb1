import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { type BackupReport, type UpkeepLine, UpkeepRequest } from '@cua-forge/spec/upkeep';
import { openParts, openStore } from '@cua-forge/store/open-store';
import { storeSettings } from '@cua-forge/store/store-settings';
import { writeBackup } from '@cua-forge/store/upkeep/backup';
import { restoreBackup } from '@cua-forge/store/upkeep/restore';
import { graceMsOf, upkeepSettings } from '@cua-forge/store/upkeep-settings';

/** A process for one task on the store, beside a running server or without one. It tells of its progress in lines of JSON. */
function say(line: UpkeepLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const settings = () => storeSettings(process.env, `${process.env.FORGE_DATA || '.forge'}/store`);
const compressed = (file: string): boolean => /\.(gz|tgz)$/.test(file);
const stop = new AbortController();

async function collect(dryRun: boolean, graceHours: number | undefined): Promise<void> {
  const upkeep = upkeepSettings(process.env);
  const store = await openStore(settings());
  try {
    const collected = await store.upkeep.collect({
      retention: upkeep.retention,
      graceMs: graceMsOf(upkeep, graceHours),
      dryRun,
      now: Date.now,
      signal: stop.signal,
      onProgress: (collecting) => say({ collecting }),
    });
    say({ collected });
  } finally {
    await store.meta.close();
  }
}

/** The file appears under its name when it is whole. */
async function backUp(file: string): Promise<BackupReport> {
  const partial = `${file}.partial`;
  await mkdir(dirname(file), { recursive: true });
  const parts = await openParts(settings());
  try {
    const out = new PassThrough();
    const target: Writable = createWriteStream(partial);
    const written = compressed(file) ? pipeline(out, createGzip(), target) : pipeline(out, target);
    written.catch((error: unknown) => out.destroy(error instanceof Error ? error : new Error(String(error))));
    const options = { now: Date.now, signal: stop.signal, onProgress: (copying: Progress) => say({ copying }) };
    const report = await writeBackup(parts, out, options);
    await written;
    const handle = await open(partial);
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return report;
  } catch (thrown) {
    await rm(partial, { force: true });
    throw thrown;
  } finally {
    await parts.connection.close();
  }
}
type Progress = Parameters<NonNullable<Parameters<typeof writeBackup>[2]['onProgress']>>[0];

async function restore(file: string): Promise<BackupReport> {
  const source: Readable = createReadStream(file);
  const tar = compressed(file) ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => tar.destroy(error));
  return restoreBackup(tar, settings(), { signal: stop.signal, onProgress: (copying) => say({ copying }) });
}

async function main(): Promise<void> {
  const request = UpkeepRequest.safeParse(JSON.parse(process.argv[2] ?? 'null'));
  if (!request.success) throw new ForgeError('input.invalid', 'The upkeep process was not told what to do.');
  const { data } = request;
  if (data.task === 'gc') await collect(data.dryRun, data.graceHours);
  else say({ copied: data.task === 'backup' ? await backUp(data.file) : await restore(data.file) });
}

process.once('SIGTERM', () => stop.abort());
process.once('SIGINT', () => stop.abort());
main().catch((thrown: unknown) => {
  say({ failure: toForgeError(thrown).toFailure() });
  process.exitCode = 1;
});
