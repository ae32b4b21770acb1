import { jaccard, maskedLabel, maskedWords, shingles } from './mask.ts';

/** What of a task package counts for diversity. */
export interface PackageView {
  id: string;
  instruction: string;
  outcome: string;
  traits: Record<string, unknown>;
  /** Words for structure and layout of its files. */
  shape: string[];
}

export interface DiversityReport {
  packages: number;
  /** Different kinds of outcome. */
  outcomes: number;
  /** Different combinations of outcome, structure and layout, by the labels that the workflow gives. */
  combinations: number;
  /** Packages that an earlier one resembles, names and numbers aside. */
  nearDuplicates: number;
  nearDuplicateShare: number;
  /** The pair that is most alike. */
  closest: { a: string; b: string; similarity: number } | null;
}

/** Labels that say what the data is, not how a task is built. */
const descriptive = new Set(['chosen', 'data', 'basis']);

/** Outcome and labels without numbers: two packages of one combination differ in names and numbers at most. */
export function combinationOf({ outcome, traits }: PackageView): string {
  const labels = Object.entries(traits)
    .filter(([name]) => !descriptive.has(name))
    .map(([name, value]) => `${name}=${maskedLabel(String(value))}`)
    .sort();
  return [maskedLabel(outcome), ...labels].join(' | ');
}

/** From this similarity on two packages count as nearly the same. */
export const NEAR = 0.9;

/** Measures how different packages are once names and numbers are masked in their instructions, tables and layouts. */
export function diversityOf(packages: readonly PackageView[]): DiversityReport {
  const sets = packages.map((view) => {
    const labels = combinationOf(view).split(' | ');
    return new Set([
      ...[...shingles(maskedWords(view.instruction))].map((words) => `said ${words}`),
      ...[...shingles(view.shape)].map((words) => `built ${words}`),
      ...labels.map((label) => `labelled ${label}`),
    ]);
  });
  let closest: DiversityReport['closest'] = null;
  let near = 0;
  sets.forEach((set, index) => {
    let best = 0;
    sets.slice(0, index).forEach((other, earlier) => {
      const similarity = jaccard(set, other);
      best = Math.max(best, similarity);
      if (closest === null || similarity > closest.similarity)
        closest = { a: packages[earlier]?.id ?? '', b: packages[index]?.id ?? '', similarity };
    });
    if (best >= NEAR) near += 1;
  });
  return {
    packages: packages.length,
    outcomes: new Set(packages.map(({ outcome }) => maskedLabel(outcome))).size,
    combinations: new Set(packages.map(combinationOf)).size,
    nearDuplicates: near,
    nearDuplicateShare: packages.length === 0 ? 0 : near / packages.length,
    closest,
  };
}
