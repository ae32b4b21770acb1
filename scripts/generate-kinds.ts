import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { KindLock, loadKind, lockBreaches, renderRegistry, uniqueKinds } from './kind-registry.ts';
import { kindFiles } from './kind-sources.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folders = ['nodes/src', 'preparers/src', 'gates/src'].map((folder) => join(root, folder));

function lockOnDisk(): KindLock {
  const file = join(root, 'kinds.lock.json');
  return existsSync(file) ? KindLock.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
}

function isCurrent(name: string, text: string): boolean {
  const file = join(root, name);
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

function write(name: string, text: string): void {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Exit code: 0 done, 1 when the lock forbids it or, with `--check`, when anything would change. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' }, accept: { type: 'boolean' } } });
  const found = uniqueKinds(await Promise.all(kindFiles(folders).map((file) => loadKind(root, file))));
  const breaches = values.accept === true ? [] : lockBreaches(found, lockOnDisk());
  for (const breach of breaches) console.error(breach);
  const stale = Object.entries(renderRegistry(found)).filter(([name, text]) => !isCurrent(name, text));
  if (values.check === true) {
    for (const [name] of stale) console.error(`${name} is out of date. Run: npm run kinds`);
    return breaches.length + stale.length > 0 ? 1 : 0;
  }
  if (breaches.length > 0) return 1;
  for (const [name, text] of stale) write(name, text);
  console.log(`${found.length} kinds, ${stale.length} files written.`);
  return 0;
}

process.exitCode = await main();
