import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FoundKind, loadKind, lockBreaches, renderRegistry, uniqueKinds } from './kind-registry.ts';
import { implementationOf, importName, kindFiles } from './kind-sources.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kinds-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function put(name: string, text: string): Promise<string> {
  await mkdir(dirname(join(root, name)), { recursive: true });
  await writeFile(join(root, name), text);
  return join(root, name);
}

const kindText = (id = 'data.thing') => `import { helper } from './helper.ts';
import type { Unseen } from './unseen.ts';
export const thing = { id: '${id}', version: 1, title: 'Thing', doc: 'Does it.', params: helper, inputs: {}, outputs: {},
  policy: { queue: 'light', timeoutMs: 1, heartbeatMs: 1, attempts: 1, backoffMs: 1, effects: 'none', cacheable: true, cheap: true, seeded: false, callsModel: false },
  gate: false, migrations: {}, example: { params: {}, inputs: {} }, execute: async () => ({}) };
`;

describe('implementationOf', () => {
  it('changes with the file, what it imports, contract files left out, and the versions of vendors', async () => {
    const file = await put('nodes/src/data/thing.node.ts', kindText());
    await put(
      'nodes/src/data/helper.ts',
      "import vendor from 'vendor/part';\nimport { x } from '@cua-forge/spec/task';\nimport { y } from '@cua-forge/spec/kind';\nimport { join } from 'node:path';\nexport const helper = vendor;\n",
    );
    await put('packages/spec/src/task.ts', 'export const x = 1;\n');
    await put('packages/spec/src/kind.ts', 'export const y = 1;\n');
    await put('node_modules/vendor/package.json', '{"name": "vendor", "version": "1.0.0"}');
    const hashes = [implementationOf(root, file)];
    const hashAfter = async (name: string, text: string) => {
      await put(name, text);
      hashes.push(implementationOf(root, file));
    };
    await hashAfter('packages/spec/src/kind.ts', 'export const y = 2;\n');
    expect(hashes[1]).toBe(hashes[0]);
    await hashAfter('packages/spec/src/task.ts', 'export const x = 2;\n');
    await hashAfter('node_modules/vendor/package.json', '{"name": "vendor", "version": "1.0.1"}');
    await hashAfter('nodes/src/data/thing.node.ts', `${kindText()}// changed\n`);
    expect(new Set(hashes).size).toBe(4);
  });

  it('names a vendor that is not installed', async () => {
    const file = await put('nodes/src/a.node.ts', "import 'no-such-vendor';\n");
    expect(() => implementationOf(root, file)).toThrow(/no-such-vendor/);
  });
});

describe('finding kinds', () => {
  it('walks folders by suffix and names modules', async () => {
    for (const name of [
      'gates/src/file/b.gate.ts',
      'gates/src/a.preparer.ts',
      'gates/src/a.node.test.ts',
      'gates/src/help.ts',
    ])
      await put(name, '');
    const files = kindFiles([join(root, 'gates/src'), join(root, 'absent')]);
    expect(files.map((file) => importName(root, file))).toEqual([
      '@cua-forge/gates/a.preparer',
      '@cua-forge/gates/file/b.gate',
    ]);
  });

  it('refuses a file without a kind', async () => {
    const file = await put('nodes/src/none.node.mjs', 'export const nothing = 1;\n');
    await expect(loadKind(root, file)).rejects.toThrow(/none\.node\.mjs exports 0 kinds/);
  });
});

const found = (key: string, implementation: string): FoundKind => {
  const [id = '', version = '1'] = key.split('@');
  const policy = {
    queue: 'light',
    timeoutMs: 1,
    heartbeatMs: 1,
    attempts: 1,
    backoffMs: 1,
    effects: 'none',
    cacheable: true,
    cheap: true,
    seeded: false,
    callsModel: false,
  } as const;
  const meta = {
    id,
    version: Number(version),
    title: 'T',
    doc: 'D.',
    params: {},
    inputs: {},
    outputs: {},
    policy,
    gate: false,
    implementation,
    example: {},
  };
  return { key, exported: 'thing', module: `@cua-forge/nodes/${id}`, meta };
};

describe('the registry', () => {
  it('sorts by id and version, and refuses a version twice', () => {
    const kinds = [found('b.x@10', '1'), found('b.x@2', '2'), found('a.x@1', '3')];
    expect(uniqueKinds(kinds).map(({ key }) => key)).toEqual(['a.x@1', 'b.x@2', 'b.x@10']);
    expect(() => uniqueKinds([...kinds, found('a.x@1', '4')])).toThrow(/a\.x@1 is declared twice/);
  });

  it('loads lazily and locks implementations', () => {
    const files = renderRegistry([found('a.x@1', 'hash')]);
    expect(files['apps/worker/src/kinds.generated.ts']).toContain(
      "'a.x@1': () => import('@cua-forge/nodes/a.x').then((loaded) => loaded.thing),",
    );
    expect(JSON.parse(files['kinds.lock.json'] ?? '')).toEqual({ 'a.x@1': 'hash' });
  });

  it('reports changed and vanished versions, and nothing for new ones', () => {
    const breaches = lockBreaches([found('a.x@1', 'new'), found('a.x@2', 'first')], {
      'a.x@1': 'old',
      'a.gone@1': 'old',
    });
    expect(breaches).toHaveLength(2);
    expect(breaches[0]).toMatch(/a\.x@1 changed.*--accept/);
    expect(breaches[1]).toMatch(/a\.gone@1 is gone/);
  });
});
