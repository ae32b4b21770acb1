import type { ProofLine } from '@cua-forge/spec/proof';
import type { StateReader } from '@cua-forge/spec/state-reader';
import { undoneParagraphs } from '../files/document-variants.ts';
import { cellsOf as expectedCells } from '../files/expected-cells.ts';
import { acrossCells, spread } from '../files/spread.ts';
import { otherLines } from '../files/text-variants.ts';
import { cellsOf, otherValue } from '../files/workbook-variants.ts';
import { type Judge, withFiles } from '../judge.ts';
import { line } from '../lines.ts';
import { mustChecks, type Subject } from '../subject.ts';
import { nameOf } from '../targets.ts';
import type { WorkFile } from './equal-solutions.ts';

/** How many values, paragraphs or lines of a file are changed: of what the work gives, and of what it leaves alone. */
export interface MostTried {
  given: number;
  kept: number;
}
const usual: MostTried = { given: 32, kept: 6 };

/** Whether a must criterion asks that what was there stays. */
const demandsTheRest = (subject: Subject): boolean =>
  mustChecks(subject).some(({ text }) =>
    /\b(?:un(?:changed|touched)|as (?:it|they) (?:was|were)|(?:is|are|stays?|remains?|kept) (?:as|the same)|nothing else (?:is |has )?changed?)\b/i.test(
      text,
    ),
  );

/**
 * Changes single values that the work has filled, one at a time, and undoes it paragraph by paragraph; a must criterion has to notice each. Of cells that the
 * solution alone needs, such as helper columns, nothing is asked: where the expected content is known, only what it fixes counts. Where what was there
 * has to stay, values that the work leaves alone are changed as well.
 */
export async function sensitivityStep(
  subject: Subject,
  files: readonly WorkFile[],
  state: StateReader,
  judge: Judge,
  most: MostTried = usual,
): Promise<ProofLine[]> {
  const noticed = (path: string, bytes: Uint8Array): Promise<boolean> =>
    judge.anyFails(withFiles(state, new Map([[path, bytes]])));
  const lines: ProofLine[] = [];
  for (const file of files) {
    if (/\.xlsx$/i.test(file.path)) lines.push(...(await workbookLines(subject, file, noticed, most)));
    if (/\.docx$/i.test(file.path)) lines.push(...(await documentLines(file, noticed, most)));
    if (/\.(?:csv|txt|md|json)$/i.test(file.path)) lines.push(...(await textLines(subject, file, noticed, most)));
  }
  return lines.length > 0 ? lines : [line('what the work gives', [], 'no workbook, text document or text is changed')];
}

type Noticed = (path: string, bytes: Uint8Array) => Promise<boolean>;

async function workbookLines(
  subject: Subject,
  { path, before, after, saved }: WorkFile,
  noticed: Noticed,
  most: MostTried,
): Promise<ProofLine[]> {
  const base = saved ?? after;
  const [old, now] = [before === null ? new Map() : await cellsOf(before), await cellsOf(base)];
  if (now === null) return [];
  const fixed = expectedCells(subject, path);
  const known = [...now].filter(([key, cell]) => cell.value !== null && (fixed === null || fixed.has(key)));
  const changed = known.filter(([key, cell]) => cell.value !== old?.get(key)?.value);
  const kept = known.filter(([key, cell]) => cell.formula === null && cell.value === old?.get(key)?.value);
  const unnoticed = async (tried: typeof known): Promise<string[]> => {
    const found: string[] = [];
    for (const [key, cell] of tried) {
      const bytes = otherValue(base, cell, cell.value);
      if (bytes !== null && !(await noticed(path, bytes))) found.push(`another value in ${key} passes`);
    }
    return found;
  };
  const tried = acrossCells(changed, ([, cell]) => cell, most.given);
  const rest = demandsTheRest(subject) && fixed !== null ? spread(kept, most.kept) : [];
  return [
    line(
      `each value that the work gives ${nameOf(path)} is looked at`,
      await unnoticed(tried),
      `${tried.length} of ${changed.length} values changed one by one`,
    ),
    ...(rest.length === 0
      ? []
      : [
          line(
            `values of ${nameOf(path)} that have to stay are looked at`,
            await unnoticed(rest),
            `${rest.length} of ${kept.length} values changed one by one`,
          ),
        ]),
  ];
}

async function documentLines(
  { path, before, after }: WorkFile,
  noticed: Noticed,
  most: MostTried,
): Promise<ProofLine[]> {
  const undone = before === null ? null : undoneParagraphs(before, after);
  if (undone === null) return [];
  const tried = spread(undone, most.given);
  const unnoticed: string[] = [];
  for (const make of tried) {
    const { about, bytes } = make();
    if (!(await noticed(path, bytes))) unnoticed.push(`the paragraph “${about} …” passes as it was before`);
  }
  return [
    line(
      `each paragraph of ${nameOf(path)} that the work changes is looked at`,
      unnoticed,
      `${tried.length} of ${undone.length} paragraphs undone one by one`,
    ),
  ];
}

/** Of a text whose expected content is not known nothing is asked: there may be many ways to put it. */
async function textLines(
  { hidden }: Subject,
  { path, before, after }: WorkFile,
  noticed: Noticed,
  most: MostTried,
): Promise<ProofLine[]> {
  if (!(hidden?.expected ?? []).some((file) => file.path === path)) return [];
  const all = otherLines(before, after);
  const tried = spread(all, most.given);
  const unnoticed: string[] = [];
  for (const { about, bytes } of tried)
    if (!(await noticed(path, bytes))) unnoticed.push(`another text in ${about} passes`);
  return [
    line(
      `each line that the work gives ${nameOf(path)} is looked at`,
      unnoticed,
      `${tried.length} of ${all.length} lines changed one by one`,
    ),
  ];
}
