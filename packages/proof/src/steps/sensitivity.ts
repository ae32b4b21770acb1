import type { ProofLine } from '@cua-forge/spec/proof';
import type { StateReader } from '@cua-forge/spec/state-reader';
import { cellsOf as expectedCells } from '../files/expected-cells.ts';
import { cellsOf, otherValue } from '../files/workbook-variants.ts';
import { type Judge, withFiles } from '../judge.ts';
import { line } from '../lines.ts';
import type { Subject } from '../subject.ts';
import { nameOf } from '../targets.ts';
import type { WorkFile } from './equal-solutions.ts';

const MOST_TRIED = 16;

/** So many of a list, evenly spread, the first and the last among them. */
function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, index) => all[Math.round((index * (all.length - 1)) / (most - 1))]).flatMap(
    (one) => (one === undefined ? [] : [one]),
  );
}

/**
 * Changes single cells that the work has filled, one at a time; a must criterion has to notice each. Of cells that the solution alone needs, such as
 * helper columns, nothing is asked: where the expected content is known, only what it fixes counts.
 */
export async function sensitivityStep(
  subject: Subject,
  files: readonly WorkFile[],
  state: StateReader,
  judge: Judge,
): Promise<ProofLine[]> {
  const lines: ProofLine[] = [];
  for (const { path, before, after, saved } of files.filter((file) => /\.xlsx$/i.test(file.path))) {
    const base = saved ?? after;
    const [old, now] = [before === null ? new Map() : await cellsOf(before), await cellsOf(base)];
    if (now === null) continue;
    const fixed = expectedCells(subject, path);
    const changed = [...now].filter(
      ([key, cell]) => cell.value !== null && cell.value !== old?.get(key)?.value && (fixed === null || fixed.has(key)),
    );
    const unnoticed: string[] = [];
    const tried = spread(changed, MOST_TRIED);
    for (const [key, cell] of tried) {
      const bytes = otherValue(base, cell, cell.value);
      if (bytes === null) continue;
      const { failed } = await judge(withFiles(state, new Map([[path, bytes]])));
      if (failed.length === 0) unnoticed.push(`another value in ${key} passes`);
    }
    lines.push(
      line(
        `each value that the work gives ${nameOf(path)} is looked at`,
        unnoticed,
        `${tried.length} of ${changed.length} values changed one by one`,
      ),
    );
  }
  return lines.length > 0 ? lines : [line('values that the work gives', [], 'no workbook is changed')];
}
