import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { kinds } from '@cua-forge/spec/kinds';
import { kindPage } from './kind-page.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'docs/authoring/kinds.md');
const text = kindPage(kinds);

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.error('docs/authoring/kinds.md is out of date. Run: npm run docs:kinds');
    process.exitCode = 1;
  }
} else {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  console.log(`${kinds.length} kinds described in docs/authoring/kinds.md.`);
}
