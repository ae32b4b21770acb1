import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openapiDocument } from '@cua-forge/spec/openapi';
import manifest from '../apps/server/package.json' with { type: 'json' };

const file = join(import.meta.dirname, '..', 'docs/operations/openapi.json');
const text = `${JSON.stringify(openapiDocument(manifest.version), null, 1)}\n`;

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') !== text) {
    console.error('docs/operations/openapi.json is out of date. Run: npm run openapi');
    process.exitCode = 1;
  }
} else {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
  console.log('The API is described in docs/operations/openapi.json.');
}
