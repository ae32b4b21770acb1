import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '..');
const workspaces = {
  spec: 'packages/spec',
  store: 'packages/store',
  models: 'packages/models',
  nodes: 'nodes',
  workflows: 'workflows',
  server: 'apps/server',
};

/** A project of the real one's shape in which each file named `bad-*` breaks exactly the rule that its import says. */
const files: Record<string, string> = {
  'packages/spec/src/value.ts': 'export const value = 1;',
  'packages/spec/src/bad-node.ts': "import { join } from 'node:path'; export const here = join('a');",
  'packages/spec/src/cycle-a.ts': "import { b } from './cycle-b.ts'; export const a = () => b;",
  'packages/spec/src/cycle-b.ts': "import { a } from './cycle-a.ts'; export const b = () => a;",
  'packages/store/src/store.ts': "import { value } from '@cua-forge/spec/value'; export const store = value;",
  'packages/models/src/bad-sibling.ts': "export { store } from '@cua-forge/store/store';",
  'nodes/src/good.node.ts': "import { value } from '@cua-forge/spec/value'; export const good = value;",
  'nodes/src/bad-adapter.node.ts':
    "import type { store } from '@cua-forge/store/store'; export type Bad = typeof store;",
  'workflows/src/bad-kind.ts': "import { good } from '@cua-forge/nodes/good.node'; export const bad = good;",
  'apps/server/src/bad-kind.ts': "export const load = () => import('@cua-forge/nodes/good.node');",
  'apps/server/src/bad-gone.ts': "import './not-there.ts';",
  'apps/studio/src/bad-node.tsx':
    "import { readFileSync } from 'node:fs'; export const View = () => <p>{String(readFileSync)}</p>;",
  'apps/worker/src/good.ts':
    "import { good } from '@cua-forge/nodes/good.node'; import { store } from '@cua-forge/store/store'; export const all = [good, store];",
};

const Report = z.object({
  summary: z.object({
    totalCruised: z.number(),
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-imports-'));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'fixture', type: 'module', workspaces: Object.values(workspaces) }),
  );
  await mkdir(join(folder, 'node_modules/@cua-forge'), { recursive: true });
  for (const [name, path] of Object.entries(workspaces)) {
    await writeFile(
      join(folder, path, 'package.json'),
      JSON.stringify({ name: `@cua-forge/${name}`, type: 'module', exports: { './*': './src/*.ts' } }),
    );
    await symlink(join(folder, path), join(folder, 'node_modules/@cua-forge', name));
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('finds every planted violation of the import rules, and nothing in the good files', async () => {
  const args = [
    '--config',
    join(root, '.dependency-cruiser.cjs'),
    '--output-type',
    'json',
    'apps',
    'packages',
    'workflows',
    'nodes',
  ];
  const stdout = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'), ...args],
      { cwd: folder, maxBuffer: 50_000_000 },
      (_error, out) => resolve(out),
    );
  });
  const { summary } = Report.parse(JSON.parse(stdout));
  const found = new Map<string, Set<string>>();
  for (const { from, rule } of summary.violations) found.set(from, (found.get(from) ?? new Set()).add(rule.name));
  const rulesOf = (file: string): string[] => [...(found.get(file) ?? [])].sort();

  expect(rulesOf('packages/spec/src/bad-node.ts')).toEqual(['spec-no-node']);
  expect(rulesOf('packages/spec/src/cycle-a.ts')).toEqual(['no-cycles']);
  expect(rulesOf('packages/models/src/bad-sibling.ts')).toEqual(['adapters-own-code']);
  expect(rulesOf('nodes/src/bad-adapter.node.ts')).toEqual(['kinds-own-code']);
  expect(rulesOf('workflows/src/bad-kind.ts')).toEqual(['workflows-own-code']);
  expect(rulesOf('apps/server/src/bad-kind.ts')).toEqual(['one-composition-root', 'server-own-code']);
  expect(rulesOf('apps/server/src/bad-gone.ts')).toEqual(['resolvable']);
  expect(rulesOf('apps/studio/src/bad-node.tsx')).toEqual(['studio-no-node']);
  for (const good of ['packages/store/src/store.ts', 'nodes/src/good.node.ts', 'apps/worker/src/good.ts'])
    expect(rulesOf(good)).toEqual([]);
});
