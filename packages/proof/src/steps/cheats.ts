import type { ProofLine } from '@cua-forge/spec/proof';
import type { KeptFiles } from '../desk/home-files.ts';
import { restoreFiles } from '../desk/home-files.ts';
import type { Desk } from '../ground.ts';
import type { Judge } from '../judge.ts';
import { line } from '../lines.ts';
import type { Subject } from '../subject.ts';
import { nameOf } from '../targets.ts';

interface Cheat {
  name: string;
  /** What it lays at a target: null takes away what is there, undefined leaves it. */
  at(target: string, prepared: Uint8Array | undefined): Uint8Array | null | undefined;
}

/** What somebody does who wants to look as if the work were done. */
function cheatsFor({ hidden, instruction }: Subject, inputs: readonly Uint8Array[]): Cheat[] {
  const encode = (text: string) => new TextEncoder().encode(text);
  const answers = (hidden?.answers ?? []).map(({ label, value }) => `${label}: ${value}`);
  const [first] = inputs;
  return [
    { name: 'touch', at: (_target, prepared) => prepared ?? encode('') },
    { name: 'empty file', at: () => encode('') },
    { name: 'copy of the input', at: (_target, prepared) => prepared ?? first },
    { name: 'answer text only', at: () => encode(`${instruction}\n${answers.join('\n')}\n`) },
    { name: 'delete the expected path', at: () => null },
  ];
}

/** Carries out each cheat in the sandbox itself, judges what came of it and takes it back. */
export async function cheatsStep(
  subject: Subject,
  desk: Desk,
  kept: KeptFiles,
  roots: readonly string[],
  targets: readonly string[],
  judge: Judge,
  signal: AbortSignal,
): Promise<ProofLine[]> {
  const inputs = subject.manifest.files.flatMap(({ sandboxPath }) => kept.bytes.get(sandboxPath) ?? []);
  const lines: ProofLine[] = [];
  for (const { name, at } of cheatsFor(subject, inputs)) {
    const problems: string[] = [];
    for (const target of targets) {
      const bytes = at(target, kept.bytes.get(target));
      if (bytes === undefined) continue;
      if (bytes === null) await desk.sandbox.exec(['rm', '-f', '--', target], { signal });
      else await desk.sandbox.putFile(target, bytes);
    }
    const { failed, passed } = await judge(desk.state);
    if (failed.length === 0) problems.push(`all ${passed.length} must criteria pass`);
    lines.push(
      line(`cheat: ${name}`, problems, `${failed.length} of ${failed.length + passed.length} must criteria fail`),
    );
    const left = await restoreFiles(desk.sandbox, roots, kept, signal);
    if (left.length > 0) lines.push(line('cheats can be taken back', left.map(nameOf), ''));
  }
  return lines;
}
