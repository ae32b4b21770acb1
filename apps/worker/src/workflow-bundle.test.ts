import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { bundledContracts, workflowBundle } from './workflow-bundle.ts';

it('holds the workflows, the contracts they run with, and no library but the SDK', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'forge-bundle-'));
  try {
    const { code } = await workflowBundle(folder, pino({ level: 'silent' }));
    const modules = [...code.matchAll(/!\*\*\* (\.\/\S+) \*\*\*!/g)].map(([, path = '']) => path);
    expect(modules).toContain('./workflows/src/interpreter/interpreter.ts');
    const of = (start: string) =>
      modules.flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : [])).sort();
    expect(of('./packages/spec/src/')).toEqual(bundledContracts);
    const libraries = new Set(of('./node_modules/').map((path) => /^(@[^/]+\/)?[^/]+/.exec(path)?.[0]));
    expect([...libraries].sort()).toEqual(['@temporalio/common', '@temporalio/workflow', 'long', 'nexus-rpc']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
