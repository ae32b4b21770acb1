import { ForgeError } from '@cua-forge/spec/errors';
import type { ProofLine } from '@cua-forge/spec/proof';
import type { StateReader } from '@cua-forge/spec/state-reader';
import { cellsOf, fixedValues, otherFormulas } from '../files/workbook-variants.ts';
import type { ProofContext } from '../ground.ts';
import { type Judge, withFiles } from '../judge.ts';
import { line } from '../lines.ts';
import { mustChecks, type Subject } from '../subject.ts';
import { endingOf, nameOf } from '../targets.ts';
import { volatile } from './parts.ts';

/** A file that the work has changed or made, before and after. */
export interface WorkFile {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array;
  /** What it is when LibreOffice has opened and saved it, results of formulas included; null where that is not known. */
  saved: Uint8Array | null;
}

const saveable = new Set(['xlsx', 'docx', 'ods', 'odt']);

/** Opens and saves what the work has left as its application would. */
export async function savedByOffice(
  path: string,
  bytes: Uint8Array,
  { office, signal }: ProofContext,
): Promise<Uint8Array | null> {
  const ending = endingOf(path);
  if (!saveable.has(ending)) return null;
  try {
    const format = ending === 'xlsx' || ending === 'ods' || ending === 'docx' || ending === 'odt' ? ending : null;
    return format === null ? null : await office.convert(nameOf(path), bytes, format, signal);
  } catch (thrown) {
    if (thrown instanceof ForgeError && ['tool.missing', 'file.unreadable'].includes(thrown.code)) return null;
    throw thrown;
  }
}

/** Formulas at places where the work has put them. */
const newFormulas = async ({ before, after }: WorkFile) => {
  const [old, now] = [before === null ? new Map() : await cellsOf(before), await cellsOf(after)];
  return [...(now ?? [])].flatMap(([key, cell]) =>
    cell.formula !== null && old?.get(key)?.formula !== cell.formula ? [{ ...cell, formula: cell.formula }] : [],
  );
};

/** Whether the criteria ask for formulas. */
const demandsFormulas = (subject: Subject): string[] =>
  mustChecks(subject).flatMap(({ id, text }) =>
    /\bformulas?\b/i.test(text) &&
    !/\b(?:no|without|not|unchanged|keeps?|kept|stay)\b[^.]*\bformulas?\b|\bformulas?\b[^.]*\b(?:unchanged|stay|kept|as they were)\b/i.test(
      text,
    )
      ? [id]
      : [],
  );

/** What is as good as the solution passes, and what only looks like it does not. */
export async function equalSolutionsStep(
  subject: Subject,
  files: readonly WorkFile[],
  state: StateReader,
  judge: Judge,
): Promise<ProofLine[]> {
  const lines: ProofLine[] = [];
  const judged = async (changed: Map<string, Uint8Array>) => judge(withFiles(state, changed));
  const saved = new Map(files.flatMap(({ path, saved: bytes }) => (bytes === null ? [] : [[path, bytes] as const])));
  if (saved.size > 0) {
    const { failed, places } = await judged(saved);
    lines.push(
      line(
        'the solution passes when LibreOffice has opened and saved it',
        failed.map((id) => `${id}: ${places.get(id)}`),
        `${saved.size} files`,
      ),
    );
  }
  const workbooks = files.filter(({ path }) => /\.xlsx$/i.test(path));
  const formulas = new Map<string, Awaited<ReturnType<typeof newFormulas>>>();
  for (const file of workbooks) {
    const found = await newFormulas(file);
    if (found.length > 0) formulas.set(file.path, found);
  }
  const count = [...formulas.values()].reduce((sum, one) => sum + one.length, 0);
  const unsteady = [...formulas.values()].flat().filter(({ formula }) => volatile.test(formula));
  if (count > 0)
    lines.push(
      line(
        'the result is the same every day',
        unsteady.map(({ sheet, address }) => `the formula in ${sheet}!${address} gives another value at another time`),
        `${count} formulas`,
      ),
    );
  const variant = (
    make: (bytes: Uint8Array, path: string) => Uint8Array | null,
    base: (file: WorkFile) => Uint8Array,
  ) =>
    new Map(
      workbooks.flatMap((file) => {
        const bytes = formulas.has(file.path) ? make(base(file), file.path) : null;
        return bytes === null ? [] : [[file.path, bytes] as const];
      }),
    );
  const otherWay = variant(
    (bytes, path) => otherFormulas(bytes, formulas.get(path) ?? []),
    (file) => file.saved ?? file.after,
  );
  if (otherWay.size > 0) {
    const { failed, places } = await judged(otherWay);
    lines.push(
      line(
        'formulas that say the same in another way pass',
        failed.map((id) => `${id}: ${places.get(id)}`),
        `${count} formulas`,
      ),
    );
  }
  const demanded = demandsFormulas(subject);
  if (workbooks.length > 0 && demanded.length > 0) {
    const typed = variant(
      (bytes, path) => fixedValues(bytes, formulas.get(path) ?? []),
      (file) => file.saved ?? file.after,
    );
    const { failed } = await judged(typed);
    lines.push(
      line(
        'typed values do not pass where formulas are asked for',
        failed.length > 0 ? [] : [`${demanded.join(', ')} asks for formulas, but values alone pass`],
        `${failed.length} criteria fail`,
      ),
    );
  }
  return lines.length > 0 ? lines : [line('other solutions', [], 'there is no other form of this work that is known')];
}
