import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const script = pathToFileURL(join(import.meta.dirname, 'installed.mjs')).href;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forge-installed-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function staleReason(locked: object, installed: object | null): string {
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }));
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  if (installed !== null) {
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
  }
  const source = `import { staleReason } from '${script}'; process.stdout.write(String(staleReason(process.argv[1])));`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', source, folder], { encoding: 'utf8' });
}

const zod = { version: '4.0.0' };

it('tells a missing, an older and a complete installation apart', () => {
  const locked = {
    '': { name: 'x' },
    'apps/cli': { name: 'cli' },
    'node_modules/zod': zod,
    'node_modules/only-on-mac': { version: '1.0.0', optional: true },
  };
  expect(staleReason(locked, null)).toBe('they are not installed yet');
  expect(staleReason(locked, {})).toBe('node_modules/zod is missing');
  expect(staleReason(locked, { 'node_modules/zod': { version: '3.9.0' } })).toBe(
    'node_modules/zod is not at version 4.0.0',
  );
  expect(staleReason(locked, { 'node_modules/zod': zod })).toBe('null');
});
