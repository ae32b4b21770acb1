import type { ProofLine } from '@cua-forge/spec/proof';
import type { HiddenAnswers } from '@cua-forge/spec/task';
import ExcelJS from 'exceljs';
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
  at(
    target: string,
    prepared: Uint8Array | undefined,
  ): Uint8Array | null | undefined | Promise<Uint8Array | null | undefined>;
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
    {
      name: 'answers on a sheet of their own',
      at: (target, prepared) =>
        /\.xlsx$/i.test(target) && prepared !== undefined && answers.length > 0
          ? withAnswers(prepared, hidden?.answers ?? [])
          : undefined,
    },
  ];
}

/** The workbook with the answers somewhere, in no place that was asked for; undefined for what is none. */
async function withAnswers(bytes: Uint8Array, answers: HiddenAnswers['answers']): Promise<Uint8Array | undefined> {
  const book = new ExcelJS.Workbook();
  try {
    await book.xlsx.load(Uint8Array.from(bytes).buffer);
  } catch {
    return undefined;
  }
  const sheet = book.addWorksheet('Notes to self');
  for (const { label, value } of answers) sheet.addRow([label, value]);
  return new Uint8Array(await book.xlsx.writeBuffer());
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
      const bytes = await at(target, kept.bytes.get(target));
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
