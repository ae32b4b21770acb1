import { compile } from '@cua-forge/spec/compile';
import type { Finding, GraphDocument } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import type { Plan } from '@cua-forge/spec/plan';
import type { ArtifactStore } from '@cua-forge/spec/store-port';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { sha256 } from '@cua-forge/store/hash';
import { FindingsError } from '../http/findings-error.ts';
import { putJson } from '../runs/json-artifact.ts';
import { hasErrors } from './read-document.ts';

export interface FrozenDocument {
  plan: Plan;
  planHash: string;
  /** Artifact with the whole document, layout included. */
  documentHash: string;
}

/** @throws FindingsError `document.invalid` when any finding is an error */
export function refuseErrors(id: string, findings: readonly Finding[]): void {
  const errors = findings.filter((finding) => finding.severity === 'error');
  if (errors.length === 0) return;
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`;
  throw new FindingsError(
    'document.invalid',
    `Document "${id}" has ${count}: ${errors[0]?.message ?? ''}`,
    findings,
    'Correct what the findings name; each says how.',
  );
}

/**
 * Checks and compiles a document, and stores the plan, the params it refers to, and the document itself.
 * @throws FindingsError `document.invalid`
 */
export async function freezeDocument(
  document: GraphDocument,
  kinds: readonly KindMeta[],
  artifacts: ArtifactStore,
): Promise<FrozenDocument> {
  const findings = validateDocument(document, kinds);
  if (hasErrors(findings)) refuseErrors(document.id, findings);
  const { plan, params } = compile(document, kinds, sha256);
  for (const { json } of params) await artifacts.put(new TextEncoder().encode(json));
  return { plan, planHash: await putJson(artifacts, plan), documentHash: await putJson(artifacts, document) };
}
