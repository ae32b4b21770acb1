import type { ClaimScope, ClaimsPort } from '@cua-forge/spec/claims-port';
import type { MetaStore, RunRecord } from '@cua-forge/spec/store-port';
import { sha256 } from '@cua-forge/store/hash';

type ClaimingRun = Pick<RunRecord, 'id' | 'skill' | 'documentId' | 'batchId' | 'trial'>;

/** Grants everything and remembers nothing. */
export const noClaims: ClaimsPort = { claim: async () => ({ granted: true }) };

/**
 * What values are claimed within. A run that is in no batch is a batch of its own; one of an evaluation makes on purpose what others made of its seed, so that it
 * is set apart.
 */
function within(scope: ClaimScope, run: ClaimingRun): string {
  if (run.trial === true) return run.batchId ?? `run/${run.id}`;
  switch (scope) {
    case 'batch':
      return run.batchId ?? `run/${run.id}`;
    case 'skill':
      return run.skill;
    case 'document':
      return run.documentId;
  }
}

/** The claims of one node of one run. */
export function claimsOf(meta: MetaStore, run: ClaimingRun, key: string, now: () => number): ClaimsPort {
  return {
    async claim({ scope, name, value, near }) {
      const answer = await meta.claim({
        scope: `${scope}:${within(scope, run)}`,
        name,
        value: sha256(value),
        runId: run.id,
        key,
        near: near === undefined ? null : { signature: packed(near.signature), atLeast: near.atLeast },
        at: now(),
      });
      return answer.granted ? answer : { granted: false, alike: answer.alike, own: answer.holder.runId === run.id };
    },
  };
}

function packed(signature: readonly number[]): string {
  const bytes = Buffer.alloc(signature.length * 4);
  for (const [index, number] of signature.entries()) bytes.writeUInt32LE(number >>> 0, index * 4);
  return bytes.toString('base64');
}
