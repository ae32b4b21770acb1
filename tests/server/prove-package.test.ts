import { packTar } from '@cua-forge/package-folder/package-folder';
import { buildTask, sampleTask } from '@cua-forge/proof/testing/sample-task';
import { ProofRecord } from '@cua-forge/spec/proof';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, type RunningServices, startServices } from '../support/services.ts';

let services: RunningServices;
beforeAll(async () => {
  // A daemon that is not there, and no root file system for bubblewrap: a machine without sandboxes.
  services = await startServices({ env: { FORGE_SANDBOX_HOSTS: 'unix:///nonexistent/docker.sock=1' } });
}, 400_000);
afterAll(() => services?.stop(), 60_000);

const ended = (id: string) =>
  eventually(
    'the run has ended',
    async () => {
      const { run } = await services.api.run(id);
      return ['succeeded', 'failed', 'needs-attention'].includes(run.state) ? run : null;
    },
    180_000,
  );

describe('proving on a machine without sandboxes', () => {
  it('marks a package that is here as unproven, says what is missing, and leaves its origin as it was', async () => {
    const { api } = services;
    const built = buildTask(await sampleTask());
    const { id } = await api.importPackage(new Uint8Array(await packTar(built.package, built.read)));
    const { record: before } = await api.package(id);
    const run = await ended((await api.provePackage(id)).id);
    expect(run.state).toBe('succeeded');
    const { record, package: proven } = await api.package(id);
    expect(record).toMatchObject({ runId: before.runId, batchId: null, createdAt: before.createdAt });
    expect(proven.manifest.proof).toMatchObject({ verdict: 'unproven', provider: null });
    expect(proven.manifest.proof?.reason).toMatch(/forge sandbox build/);
    const file = proven.files.find(({ path }) => path === 'proof/proof.json')?.file;
    const bytes = await api.file(file?.hash ?? '');
    const proof = ProofRecord.parse(JSON.parse(new TextDecoder().decode(bytes)));
    expect(proof.steps.map(({ result }) => result)).toEqual(['held', ...Array<string>(10).fill('skipped')]);
    expect(proven.manifest.proofs.map(({ status }) => status)).not.toContain('proven');
  });

  it('rejects what has to be proven', async () => {
    const run = await services.api.startRun({
      documentId: 'calc-monthly-summary',
      seed: 3,
      mode: 'batch',
      prove: true,
    });
    const { state, failure } = await ended(run.id);
    expect({ state, code: failure?.code }).toEqual({ state: 'failed', code: 'gate.rejected' });
    expect(failure?.place?.node).toBe('prove');
    const { document } = await services.api.document('calc-monthly-summary');
    expect(document?.nodes.some(({ kind }) => kind === 'gate.prove')).toBe(false);
  });
});
