import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kinds } from '@cua-forge/spec/kinds';
import { expect, it } from 'vitest';
import { kindPage } from '../../scripts/kind-page.ts';
import { root } from './read-docs.ts';

it('docs/authoring/kinds.md is what npm run docs:kinds writes now', () => {
  expect(readFileSync(join(root, 'docs/authoring/kinds.md'), 'utf8')).toBe(kindPage(kinds));
});

it('describes every kind with its ports', () => {
  const page = kindPage(kinds);
  for (const kind of kinds) {
    expect(page).toContain(`### ${kind.id}\n`);
    for (const [name, port] of Object.entries(kind.outputs))
      expect(page).toContain(`| \`${name}\` | \`${port.type}\` |`);
  }
});
