import { baseName } from '@cua-forge/spec/required-file';
import type { Rubric, TaskSpecification } from '@cua-forge/spec/task';
import { type Check, check } from '../evidence.ts';
import { loose, tablesOf } from '../spec/spec-tables.ts';
import { fileLike, namesOf } from './package-checks.ts';

type One = Rubric['criteria'][number];

const LIKE = 0.85;

/** “At the end it can be seen that: …” → what is claimed. */
const claimOf = (text: string): string =>
  text
    .trim()
    .replace(/^(?:in the end|at the end|finally)\b[^:,]{0,40}[:,]\s*/iu, '')
    .replace(/^(?:it can be seen|it is true|the following holds)\b[^:]{0,20}[:]?\s*(?:that:?\s*)?/iu, '')
    .replace(/[.\s]+$/u, '');

const verb =
  /\b(?:is|are|was|were|has|have|had|contains?|shows?|holds?|stands?|exists?|appears?|uses?|match(?:es)?|equals?|starts?|ends?|lists?|refers?|must|should|can|will|needs?)\b/iu;
const dependent = /^(?:which|who|whose|where|when|if|so that|as|because|that|on which|in which|with)\b/iu;

/** How many things a text claims: parts with a subject and a verb of their own. */
function claims(text: string): number {
  const parts = claimOf(text).split(/[.;]\s+|,?\s+and\s+|,\s+/u);
  return Math.max(1, parts.filter((part) => verb.test(part) && !dependent.test(part.trim())).length);
}

const taste =
  /\b(?:nice(?:ly)?|good|great|beautiful(?:ly)?|proper(?:ly)?|appropriate(?:ly)?|suitabl[ey]|professional(?:ly)?|user-?friendly|well[- ](?:organi[sz]ed|structured|formatted|presented|laid out)|reasonabl[ey]|elegant(?:ly)?|tidy|attractive|appealing|intuitive|clean(?:ly)?|neat(?:ly)?|sensibl[ey]|as expected|satisf(?:ying|actory)|high[- ]quality|easy to (?:read|use|understand))\b/iu;
const way =
  /\b(?:agent|assistant|the user|the model)\b|\b(?:click(?:s|ed|ing)?|pressed|typed|scrolled|dragged|hovered)\b|\bmenus?\b|\b(?:steps?|keystrokes?|shortcuts?)\b|\bscreenshots?\b|\bwhile working\b|\b(?:quickly|efficiently)\b|\b(?:rather than|instead of) typing\b|\bno (?:errors?|mistakes?) (?:was|were|is|are) made\b/iu;
const noEvidence = /^(?:none|n\/?a|nothing|unknown|any|anything|-+|\?+)\.?$/iu;
const unseen = /\b(?:reasoning|thoughts?|trust|memory|intentions?|transcript|conversation|chat|explanation)\b/iu;

/** A text without the names of the task, which may hold any word. */
function bare(text: string, names: readonly string[]): string {
  return [...names].sort((a, b) => b.length - a.length).reduce((left, name) => left.replaceAll(name, ' '), text);
}

/** Why a claim holds whatever is done; undefined when work can make the difference. */
function alwaysHolds(text: string, spec: TaskSpecification): string | undefined {
  const claim = loose(claimOf(text)).replace(/[“”"‘’']/gu, '');
  if (
    /^(?:the |this )?(?:task|work|job|request|instruction)s? (?:is|are|was|has been|were) (?:completed?|done|finished|fulfilled|followed)/u.test(
      claim,
    )
  )
    return 'it says only that the task is done';
  const files = spec.files.map(({ path }) => loose(baseName(path)));
  const there =
    /^(?:the |a )?(?:file |workbook |document |spreadsheet )?(.+?) (?:exists?|is there|is present|is available|can be opened|opens|is open(?:ed)?(?: in .*)?|is saved)$/u.exec(
      claim,
    )?.[1];
  if (there !== undefined && (files.includes(there) || /^(?:the )?(?:file|workbook|document)$/u.test(there)))
    return `${there} is there from the start`;
  const tables = tablesOf(spec.files);
  const sheet =
    /^.{0,60}? ?(?:has|contains) (?:a |the )?(?:sheet|tab|worksheet) (?:named |called )?(.+)$/u.exec(claim)?.[1] ??
    /^(?:the |a )?(?:sheet|tab|worksheet) (?:named |called )?(.+?) (?:exists?|is there|is present)$/u.exec(claim)?.[1];
  if (sheet !== undefined && tables.some((table) => loose(table.sheet) === sheet))
    return `the sheet ${sheet} is there from the start`;
  const column = /^.{0,60}? ?(?:has|contains) (?:a |the )?column (?:named |called |headed )?(.+)$/u.exec(claim)?.[1];
  const head = tables.filter(({ columns }) => columns.some((one) => loose(one.name) === column));
  return head.some((table) => claim.includes(loose(table.sheet || table.file)) || tables.length === 1)
    ? `the column ${column} is there from the start`
    : undefined;
}

const small = new Set('a an the of in on to and or is are it its with for at by that this be as has have'.split(' '));

function likeness(a: string, b: string): number {
  const words = (text: string) =>
    new Set((loose(claimOf(text)).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !small.has(word)));
  const [left, right] = [words(a), words(b)];
  const common = [...left].filter((word) => right.has(word)).length;
  return common / Math.max(1, left.size + right.size - common);
}

function weightProblems(criteria: readonly One[]): string[] {
  const sum = criteria.reduce((total, { weight }) => total + weight, 0);
  const most = criteria.length === 2 ? 0.8 : 0.6;
  const musts = criteria.filter(({ must }) => must);
  const share = musts.reduce((total, { weight }) => total + weight, 0) / sum;
  return [
    ...(Math.abs(sum - 1) <= 0.001 ? [] : [`they sum to ${Number(sum.toFixed(4))}, not to 1`]),
    ...criteria
      .filter(({ weight }) => criteria.length > 1 && weight / sum > most)
      .map(
        ({ id, weight }) => `${id} has ${Math.round((weight / sum) * 100)} % of the weight, more than ${most * 100} %`,
      ),
    ...(musts.length === 0 || share >= 0.5
      ? []
      : [`the musts have ${Math.round(share * 100)} % of the weight, less than half`]),
  ];
}

/** Whether a judge can work with the criteria, each by itself and all together. */
export function criteriaChecks({ criteria }: Rubric, spec: TaskSpecification): Check[] {
  const names = namesOf(spec);
  const asked = (id: string) => spec.outcome.requirements.find((one) => one.id === id)?.text ?? '';
  // A criterion may be as wide as the requirement that it stands for, and use its words.
  const wide = criteria.flatMap(({ id, text }) => {
    const [own, most] = [claims(text), claims(asked(id))];
    return own > most ? [`${id} claims ${own} things at once`] : [];
  });
  const found = (pattern: RegExp, { id, text }: One) => {
    const word = pattern.exec(bare(claimOf(text), names))?.[0];
    return word === undefined || loose(asked(id)).includes(loose(word)) ? [] : [`${id} says “${word}”`];
  };
  const always = criteria.flatMap(({ id, text }) => {
    const why = loose(asked(id)) === loose(claimOf(text)) ? undefined : alwaysHolds(text, spec);
    return why === undefined ? [] : [`${id} always holds: ${why}`];
  });
  const known = names.map(loose);
  const seen = criteria.flatMap(({ id, evidence }) => {
    const strange = (evidence.match(fileLike) ?? []).filter((file) => !known.some((one) => one.endsWith(loose(file))));
    if (noEvidence.test(evidence.trim())) return [`${id} names no evidence`];
    if (unseen.test(bare(evidence, names)))
      return [`${id} wants “${unseen.exec(evidence)?.[0] ?? evidence}”, which no judge sees`];
    return strange.map((file) => `${id} wants ${file}, which is not among the files`);
  });
  const same = criteria.flatMap((one, index) =>
    criteria
      .slice(0, index)
      .filter((other) => likeness(one.text, other.text) >= LIKE)
      .map((other) => `${other.id} and ${one.id}`),
  );
  return [
    check('each criterion says one thing', wide, 'each does', (problem) => `${problem}; split it.`),
    check(
      'weights are balanced',
      weightProblems(criteria),
      'they sum to 1 and none outweighs all others',
      (problem) => `Weights: ${problem}.`,
    ),
    check(
      'criteria can be checked',
      criteria.flatMap((one) => found(taste, one)),
      'none is a matter of taste',
      (problem) => `${problem}; say what can be seen instead.`,
    ),
    check(
      'criteria look at the end state',
      criteria.flatMap((one) => found(way, one)),
      'all do',
      (problem) => `${problem}; judge what is there at the end, not the way there.`,
    ),
    check(
      'no criterion always holds',
      always,
      'work can fail each',
      (problem) => `${problem}; ask for what the work changes.`,
    ),
    check('evidence can be seen', seen, 'all of it can', (problem) => `${problem}; name the file to look into.`),
    check(
      'no two criteria say the same',
      same.map((pair) => `${pair} say the same`),
      'all differ',
      (problem) => `${problem}; leave one out.`,
    ),
  ];
}
