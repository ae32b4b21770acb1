import { buildTask, sampleTask, type TaskDraft } from '@cua-forge/proof/testing/sample-task';
import { ForgeError } from '@cua-forge/spec/errors';
import { Verdict } from '@cua-forge/spec/kind';
import { ProofRecord } from '@cua-forge/spec/proof';
import { TaskPackage } from '@cua-forge/spec/task';
import { memoryFiles, testContext } from '@cua-forge/testing/execute-context';
import { describe, expect, it } from 'vitest';
import { provePackageGate } from './prove.gate.ts';

/** What the gate says of a package on a machine without sandboxes. */
async function judged(params: object, change: (draft: TaskDraft) => void = () => {}) {
  const draft = await sampleTask();
  change(draft);
  const built = buildTask(draft);
  const files = memoryFiles();
  for (const bytes of built.bytes.values()) await files.write('file', 'application/octet-stream', bytes);
  const missing = new ForgeError('sandbox.unavailable', 'No sandboxes here.', { fix: 'Build an image.' });
  const context = testContext({
    files,
    sandboxes: { missing: async () => missing, use: () => Promise.reject(missing) },
  });
  const outputs = await provePackageGate.execute({
    params: provePackageGate.params.parse(params),
    inputs: { package: built.package },
    extra: {},
    context,
  });
  return {
    verdict: Verdict.parse(outputs.verdict),
    proof: ProofRecord.parse(outputs.proof),
    made: outputs.package === undefined ? null : TaskPackage.parse(outputs.package),
  };
}

describe('gate.prove without a sandbox', () => {
  it('lets a package pass, marked as unproven, with what is missing', async () => {
    const { verdict, proof, made } = await judged({});
    expect(verdict.verdict).toBe('pass');
    expect(proof).toMatchObject({ verdict: 'unproven', reason: 'No sandboxes here. Build an image.' });
    expect(made?.manifest.proof).toMatchObject({ verdict: 'unproven', provider: null });
    expect(made?.manifest.proofs.map(({ status }) => status)).not.toContain('proven');
    expect(made?.files.map(({ path }) => path)).toContain('proof/proof.json');
  });

  it('rejects it where a proof is required', async () => {
    const { verdict, made } = await judged({ required: true });
    expect(verdict.verdict).toBe('reject');
    expect(made).toBeNull();
  });

  it('asks for a repair of what is wrong already, or marks it', async () => {
    const leak = (draft: TaskDraft) => {
      draft.instruction += ' It comes to 6484.75.';
    };
    const { verdict } = await judged({}, leak);
    expect(verdict).toMatchObject({ verdict: 'repair', feedback: expect.stringContaining('gives no answer away') });
    const { made } = await judged({ failed: 'mark' }, leak);
    expect(made?.manifest.proof?.verdict).toBe('failed');
  });
});
