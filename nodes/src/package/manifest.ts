import { createHash } from 'node:crypto';
import { packageFileNames } from '@cua-forge/desktop/package-file-names';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ExecuteContext, Verdict } from '@cua-forge/spec/kind';
import type { SetupScript, TaskManifest, TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import { gateEvidence, proofsOf } from './proofs.ts';

type Placed = TaskManifest['files'][number];

/** The files of the package, as the setup places them. @throws ForgeError `input.invalid` when it places what is not specified, or too little */
export function placedFiles(spec: TaskSpecification, { operations }: SetupScript): Placed[] {
  const names = packageFileNames(operations);
  const placed = operations.flatMap((operation): Placed[] => {
    if (operation.op !== 'place-file') return [];
    const { file, path } = operation;
    const type = spec.files.find((one) => one.path === path)?.type;
    if (type === undefined) throw disagreement(`The setup places ${path}, which the specification does not know.`);
    return [
      {
        path: `files/${names.get(path) ?? file.name}`,
        sandboxPath: path,
        preparer: `preparer.${type}`,
        mediaType: file.mediaType,
        hash: file.hash,
        size: file.size,
      },
    ];
  });
  const missing = spec.files.find(({ path }) => !placed.some(({ sandboxPath }) => sandboxPath === path));
  if (missing !== undefined)
    throw disagreement(`The setup does not place the required file ${missing.id} at ${missing.path}.`);
  return placed;
}

const disagreement = (message: string) =>
  new ForgeError('input.invalid', message, {
    fix: 'Connect the same specification to the preparers, the setup and this node.',
  });

/** Stable over repeats: made of skill, seed, workflow version and what the package holds. */
function packageId(spec: TaskSpecification, context: ExecuteContext, parts: TaskPackage['files']): string {
  const content = parts.map(({ path, file }) => [path, file.hash]);
  const identity = { skill: spec.skill, seed: context.runSeed, version: context.workflow.version, content };
  const hash = createHash('sha256').update(canonicalJson(identity)).digest('hex');
  return `${spec.skill}-${context.runSeed}-${hash.slice(0, 12)}`;
}

function titleOf({ outcome }: TaskSpecification): string {
  const text = outcome.summary.trim().replace(/\.$/, '');
  const short = text.length > 120 ? `${text.slice(0, 119).trimEnd()}…` : text;
  // A file name keeps its own capitals.
  return /^\S+\.\w/.test(short) ? short : short.slice(0, 1).toUpperCase() + short.slice(1);
}

/** `task.json`. `parts` are the other files of the package. */
export function manifestOf(
  spec: TaskSpecification,
  context: ExecuteContext,
  parts: TaskPackage['files'],
  files: Placed[],
  verdicts: readonly Verdict[],
): TaskManifest {
  return {
    schema: 1,
    id: packageId(spec, context, parts),
    title: titleOf(spec),
    domain: spec.domain,
    skills: [spec.skill],
    applications: spec.applications,
    seed: context.runSeed,
    workflow: context.workflow,
    run: context.runId,
    models: [context.models.rehearsed ? 'rehearsal' : context.models.identity()],
    files,
    outcome: { kind: spec.outcome.kind, summary: spec.outcome.summary },
    traits: spec.traits,
    proofs: proofsOf(verdicts, files.length),
    gates: gateEvidence(verdicts),
  };
}
