import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { TaskManifest } from '@cua-forge/spec/task';
import { isCompared, type KeptRecording } from '../tests/support/kept-recordings.ts';

const usage = 'Usage: npm run cassettes -- --skill SKILL --model NAME --recording FILE.jsonl --packages FOLDER';
const { values } = parseArgs({
  options: {
    skill: { type: 'string' },
    model: { type: 'string' },
    recording: { type: 'string' },
    packages: { type: 'string' },
  },
});
const { skill, model, recording, packages } = values;
if (!skill || !model || !recording || !packages) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}

/** Path → SHA-256 of the files of a package that are text, but for task.json, which says when and with what it was made. */
async function hashesOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter(isCompared)
    .sort();
  const hashes = paths.map(async (path) => {
    const bytes = await readFile(join(folder, path));
    return [path, createHash('sha256').update(bytes).digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

/** Packs a recording and says which packages it has to make again: what tests/models/recordings.test.ts replays. */
const target = join(import.meta.dirname, '../tests/fixtures/recordings');
await mkdir(target, { recursive: true });
const kept: KeptRecording = { skill, model, packages: [] };
for (const name of (await readdir(packages)).sort()) {
  const folder = join(packages, name);
  const manifest = TaskManifest.parse(JSON.parse(await readFile(join(folder, 'task.json'), 'utf8')));
  kept.packages.push({ seed: manifest.seed, files: await hashesOf(folder) });
}
const packed = gzipSync(await readFile(recording), { level: 9 });
await writeFile(join(target, `${skill}.jsonl.gz`), packed);
await writeFile(join(target, `${skill}.json`), `${JSON.stringify(kept, null, 2)}\n`);
process.stdout.write(`${skill}: ${kept.packages.length} packages, ${packed.length} bytes\n`);
