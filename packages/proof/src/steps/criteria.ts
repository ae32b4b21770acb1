import { canonicalJson } from '@cua-forge/spec/canonical-json';
import type { ProofLine } from '@cua-forge/spec/proof';
import { line } from '../lines.ts';
import { mustChecks, type Subject } from '../subject.ts';

const repeated = (names: readonly string[]): string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];
const plain = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/\W+/g, ' ').trim();

/** That each criterion is one of its own: a name, a wording and a check that no other has. */
export function criteriaLines(subject: Subject): ProofLine[] {
  const { rubric, checks } = subject;
  const musts = mustChecks(subject);
  const alike = musts.flatMap((one, index) =>
    musts.slice(index + 1).flatMap((other) => {
      if (plain(one.text) === plain(other.text)) return [`${one.id} and ${other.id} say the same`];
      return one.check !== null &&
        other.check !== null &&
        canonicalJson(one.check.check) === canonicalJson(other.check.check)
        ? [`${one.id} and ${other.id} have the same check`]
        : [];
    }),
  );
  return [
    line(
      'criteria and checks have names of their own',
      [
        ...repeated(rubric.criteria.map(({ id }) => id)).map((id) => `two criteria are called ${id}`),
        ...repeated(checks.map(({ id }) => id)).map((id) => `two checks are called ${id}`),
      ],
      `${rubric.criteria.length} criteria, ${checks.length} checks`,
    ),
    line('no must criterion is there twice', alike, `${musts.length} compared`),
  ];
}
