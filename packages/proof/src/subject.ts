import { createHash } from 'node:crypto';
import { CheckFile, type NamedCheck } from '@cua-forge/spec/check';
import { ForgeError } from '@cua-forge/spec/errors';
import { SolutionFile } from '@cua-forge/spec/solution';
import { HiddenAnswers, Rubric, SetupOperation, type TaskManifest, type TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';

/** A task package with everything of it at hand. */
export interface Subject {
  manifest: TaskManifest;
  instruction: string;
  rubric: Rubric;
  operations: SetupOperation[];
  script: string;
  checks: readonly NamedCheck[];
  hidden: HiddenAnswers | null;
  solution: SolutionFile | null;
  /** Bytes by path in the package, but for what an earlier proof has left. */
  files: ReadonlyMap<string, Uint8Array>;
  executables: ReadonlySet<string>;
  /** What checks compare with, by name. */
  references: ReadonlyMap<string, Uint8Array>;
  /** SHA-256 over all that a proof rests on. */
  hash: string;
}

const SetupJson = z.strictObject({ operations: z.array(SetupOperation) });
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Parts of a package that a proof neither reads nor speaks about: its own results, and what the manifest says of them. */
const isResult = (path: string): boolean => path.startsWith('proof/') || path === 'task.json';

/**
 * Reads a package whole.
 * @throws ForgeError `input.invalid` naming the part that is missing or is not what it should be; `artifact.missing`, `artifact.corrupt`
 */
export async function readSubject(
  { manifest, files: parts }: TaskPackage,
  read: (file: FileValue) => Promise<Uint8Array>,
): Promise<Subject> {
  const files = new Map<string, Uint8Array>();
  for (const { path, file } of parts) if (!isResult(path)) files.set(path, await read(file));
  const part = <S extends z.ZodType>(path: string, schema: S): z.output<S> | null => {
    const bytes = files.get(path);
    if (bytes === undefined) return null;
    let value: unknown;
    try {
      value = JSON.parse(decode(bytes));
    } catch (cause) {
      throw unreadable(path, 'it is not JSON', cause);
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) throw unreadable(path, z.prettifyError(parsed.error));
    return parsed.data;
  };
  const needed = <T>(path: string, value: T | null): T => {
    if (value === null) throw unreadable(path, 'it is not there');
    return value;
  };
  const text = (path: string): string => decode(needed(path, files.get(path) ?? null));
  return {
    manifest,
    instruction: text('instruction.md'),
    rubric: needed('rubric.json', part('rubric.json', Rubric)),
    operations: needed('setup/setup.json', part('setup/setup.json', SetupJson)).operations,
    script: text('setup/setup.sh'),
    checks: part('hidden/checks.json', CheckFile)?.checks ?? [],
    hidden: part('hidden/expected.json', HiddenAnswers),
    solution: part('hidden/solution/solution.json', SolutionFile),
    files,
    executables: new Set(parts.flatMap(({ path, executable }) => (executable ? [path] : []))),
    references: new Map(
      [...files].flatMap(([path, bytes]) =>
        path.startsWith('hidden/references/') ? [[path.slice('hidden/references/'.length), bytes] as const] : [],
      ),
    ),
    hash: subjectHash(parts),
  };
}

const unreadable = (path: string, why: string, cause?: unknown) =>
  new ForgeError('input.invalid', `${path} of the package cannot be used: ${why}.`, {
    fix: 'Generate the package again.',
    ...(cause === undefined ? {} : { cause }),
  });

/** Changes with every file of the package but the results of proofs. */
export function subjectHash(parts: TaskPackage['files']): string {
  const lines = parts
    .filter(({ path }) => !isResult(path))
    .map(({ path, file, executable }) => `${path} ${file.hash} ${executable}\n`)
    .sort();
  return createHash('sha256').update(lines.join('')).digest('hex');
}

/** Files of `hidden/solution`, by their path in it. */
export const solutionFiles = ({ files }: Subject): Map<string, Uint8Array> =>
  new Map(
    [...files].flatMap(([path, bytes]) =>
      path.startsWith('hidden/solution/') ? [[path.slice('hidden/solution/'.length), bytes] as const] : [],
    ),
  );

/** Must criteria with their checks; null where there is none. */
export function mustChecks({ rubric, checks }: Subject): { id: string; text: string; check: NamedCheck | null }[] {
  return rubric.criteria
    .filter(({ must }) => must)
    .map(({ id, text, check }) => ({ id, text, check: checks.find((one) => one.id === check) ?? null }));
}
