import type { ExecuteContext } from '@cua-forge/spec/kind';
import { type ProofLine, type ProofRecord, type ProofStepName, proofClaims } from '@cua-forge/spec/proof';
import type { Proof, TaskManifest, TaskPackage } from '@cua-forge/spec/task';
import { lentGround, optionsFor } from './lent-ground.ts';
import { type Proven, prove, screenshotPath } from './prove.ts';
import { readSubject } from './subject.ts';

export const recordPath = 'proof/proof.json';

/** Claims of `task.json` that a proof decides, by their steps. */
const claimed: readonly ProofStepName[] = [
  'setup',
  'untouched',
  'visible',
  'cheats',
  'setup-again',
  'solution',
  'equal-solutions',
  'mutants',
  'another-day',
];

function proofsWith(proofs: readonly Proof[], { steps, reason, provider }: ProofRecord): Proof[] {
  const own = claimed.map((name): Proof => {
    const step = steps.find((one) => one.step === name);
    const claim = proofClaims[name];
    if (step === undefined || step.result === 'skipped')
      return { claim, status: 'not-proven', by: 'nothing', detail: reason ?? 'No sandbox has run this package.' };
    const shown = step.result === 'held' ? step.evidence : step.evidence.filter(({ ok }) => !ok);
    return {
      claim,
      status: step.result === 'held' ? 'proven' : 'failed',
      by: `gate.prove (${provider ?? 'no sandbox'})`,
      detail: shown
        .map(({ check, detail }) => `${check}: ${detail}`)
        .join('; ')
        .slice(0, 500),
    };
  });
  const claims = new Set(own.map(({ claim }) => claim));
  return [...proofs.filter(({ claim }) => !claims.has(claim)), ...own];
}

/** The package with the record of a proof and its picture in `proof/`, and with what it says in `task.json`. An earlier proof is replaced. */
async function withProof(
  { manifest, files }: TaskPackage,
  { record, screenshot }: Proven,
  write: ExecuteContext['files']['write'],
): Promise<TaskPackage> {
  const { verdict, reason, provider, image, seconds } = record;
  const text = (value: unknown) => new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
  const proven: TaskManifest = {
    ...manifest,
    proofs: proofsWith(manifest.proofs, record),
    proof: { verdict, reason, provider, image, seconds },
  };
  const kept = files.filter(({ path }) => path !== 'task.json' && !path.startsWith('proof/'));
  const part = async (path: string, mediaType: string, bytes: Uint8Array) => ({
    path,
    file: await write(path.slice(path.lastIndexOf('/') + 1), mediaType, bytes),
    executable: false,
  });
  return {
    manifest: proven,
    files: [
      await part('task.json', 'application/json', text(proven)),
      ...kept,
      await part(recordPath, 'application/json', text(record)),
      ...(screenshot === null ? [] : [await part(screenshotPath, 'image/png', screenshot)]),
    ],
  };
}

/** Proves a package on the worker's desktops. Without any it is left unproven, with the reason. */
export async function provePackage(
  taskPackage: TaskPackage,
  context: ExecuteContext,
): Promise<{ package: TaskPackage; record: ProofRecord }> {
  const subject = await readSubject(taskPackage, (file) => context.files.read(file));
  const missing = await context.sandboxes.missing(optionsFor(subject.manifest));
  const ground =
    missing === null
      ? lentGround(context)
      : { missing: [missing.message, missing.fix].filter((one) => one !== undefined).join(' ') };
  const proven = await prove(subject, ground, context);
  const { package: made } = {
    package: await withProof(taskPackage, proven, (...file) => context.files.write(...file)),
  };
  return { package: made, record: proven.record };
}

/** Lines of a record for people: each says its step. */
export const linesOf = ({ steps }: ProofRecord): ProofLine[] =>
  steps.flatMap(({ step, result, evidence }) =>
    result === 'skipped' ? [] : evidence.map(({ check, ok, detail }) => ({ check: `${step}: ${check}`, ok, detail })),
  );
