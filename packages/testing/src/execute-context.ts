import { createHash } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ExecuteContext, OfficePort } from '@cua-forge/spec/kind';
import type { SandboxesPort } from '@cua-forge/spec/sandboxes-port';
import type { FileValue } from '@cua-forge/spec/value';
import { scriptedModels } from './scripted-models.ts';

/** Files in memory, under their hashes: the `files` of a test's context. */
export function memoryFiles(): ExecuteContext['files'] {
  const bytesByHash = new Map<string, Uint8Array>();
  return {
    async read(file) {
      const bytes = bytesByHash.get(file.hash);
      if (bytes === undefined) throw new ForgeError('artifact.missing', `${file.name} is not in this test's files.`);
      return bytes;
    },
    async write(name, mediaType, bytes): Promise<FileValue> {
      const hash = createHash('sha256').update(bytes).digest('hex');
      bytesByHash.set(hash, bytes);
      return { name, mediaType, hash, size: bytes.byteLength };
    },
  };
}

/** An office port of a machine without LibreOffice. */
export const noOffice: OfficePort = {
  open: async () => ({ opened: null, application: 'none', detail: 'No office application in this test.' }),
  convert: async (name) => {
    throw new ForgeError('tool.missing', `'${name}' cannot be converted: no office application in this test.`);
  },
};

const none = () => new ForgeError('sandbox.unavailable', 'No sandbox in this test.');

/** Sandboxes of a machine that has none. */
export const noSandboxes: SandboxesPort = { missing: async () => none(), use: () => Promise.reject(none()) };

/** A working context for a kind's test: files in memory, no office installed, no secrets, no network, and models that fail unless given. */
export function testContext(overrides: Partial<ExecuteContext> = {}): ExecuteContext {
  return {
    runId: 'run-test',
    key: 'node',
    round: 1,
    seed: 1,
    skill: 'test-skill',
    runSeed: 1,
    workflow: { id: 'test-workflow', version: '0'.repeat(64) },
    idempotencyKey: 'run-test/node/1',
    signal: new AbortController().signal,
    progress: () => {},
    log: () => {},
    files: memoryFiles(),
    models: scriptedModels([]),
    office: noOffice,
    secrets: {
      get: (name) => Promise.reject(new ForgeError('secret.missing', `There is no secret named ${name} in this test.`)),
    },
    http: {
      request: ({ url }) => Promise.reject(new ForgeError('http.refused', `No request to ${url} in this test.`)),
    },
    code: { run: () => Promise.reject(new ForgeError('tool.missing', 'No engine for programs in this test.')) },
    claims: { claim: async () => ({ granted: true }) },
    sandboxes: noSandboxes,
    feedback: [],
    ...overrides,
  };
}
