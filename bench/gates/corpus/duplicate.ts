import { duplicate } from '@cua-forge/gates/package/duplicate.gate';
import { phrasings } from '@cua-forge/nodes/llm/instruction-plans';
import { basePackages } from '../bases.ts';
import { at, bad, type GateCorpus, good } from '../example.ts';

const check = {
  same: 'it is not the same text',
  near: 'it is not nearly the same text',
  order: 'it is not the same text in another order',
};

const renamed = (text: string) =>
  text
    .replace(/[\w-]+\.(xlsx|csv|txt)/g, 'ledger-final.$1')
    .replace(/\b(Overview|Results|Summary|Restock|Actions|Share|Billing|Report)\b/g, 'Digest');
const renumbered = (text: string) =>
  text.replace(/\d+/g, (digits) => String(Number(digits) + 17)).replace(/\b2025\b/g, '2031');
const otherPeople = (text: string, person: string, company: string) =>
  text.replaceAll(person, 'Birgit Solheim').replaceAll(company, 'Torvik Marine');
const synonyms: [RegExp, string][] = [
  [/\bplease\b/gi, 'kindly'],
  [/\bI need\b/g, 'I require'],
  [/\bafter\b/g, 'behind'],
  [/\bunchanged\b/g, 'untouched'],
];
const shuffled = (text: string) => {
  const sentences = text.split(/(?<=[.!?])\s+/);
  return [...sentences.slice(3), ...sentences.slice(0, 3).reverse()].join(' ');
};

const requests = [
  'Please give every column of team.xlsx a width that shows its texts in full, and freeze the first row.',
  'In letters.docx, change the sender on all pages from the old street to the new one and update the date.',
  'Mark all invoices of open.csv that are due before the first of May with the word late in a new column Note.',
  'Could you draw a bar chart of the visitors per weekday next to the table in visitors.xlsx? No legend, please.',
  'The slides of kickoff.pptx use three fonts. I want one of them everywhere, and page numbers at the lower right.',
  'Sort the addresses in members.csv by postcode, then by street, and take out those who left the club.',
  'Make a sheet Archive in orders.xlsx and move everything there that was shipped last year.',
  'Put the two tables of stock.ods side by side on one page and print it as PDF into the same folder.',
];

export const duplicateCorpus: GateCorpus = {
  gate: duplicate,
  async examples() {
    const bases = await basePackages();
    const all = bases.map(({ instruction }) => instruction);
    const show = (instruction: string, earlier: readonly string[]) => ({ inputs: { instruction, earlier } });
    return [
      ...bases.map(({ name, instruction }, i) =>
        good(
          name,
          show(
            instruction,
            all.filter((_, other) => other !== i && !sameTask(bases, i, other)),
          ),
        ),
      ),
      ...requests.map((text, i) =>
        good(`request ${i + 1}`, show(text, [...requests.filter((other) => other !== text), ...all])),
      ),
      ...bases.slice(0, 6).map(({ name, spec }) => {
        // The same task told by another plan: the requirements alone are the same words.
        const told = phrasings(spec);
        return good(`${name}, told otherwise`, show(shortened(at(told, 3)), [at(told, 13)]));
      }),
      good('the first of its batch', show(at(all, 3), [])),
      ...[0, 4, 9].map((i) => bad('the same', check.same, at(bases, i).name, show(at(all, i), all))),
      ...[1, 7].map((i) =>
        bad(
          'the same',
          check.same,
          `${at(bases, i).name}, other spaces`,
          show(`  ${at(all, i).toUpperCase().replaceAll(' ', '  ')}\n`, all),
        ),
      ),
      ...[0, 2, 5, 8, 11, 14].map((i) =>
        bad('other names', check.near, at(bases, i).name, show(renamed(at(all, i)), all)),
      ),
      ...[6, 7, 9, 12].map((i) =>
        bad(
          'other numbers',
          check.near,
          at(bases, i).name,
          show(`${renumbered(at(all, i))} By ${12 + i} May.`, [...all, `${at(all, i)} By 3 May.`]),
        ),
      ),
      ...[0, 1, 3, 6, 10, 13].map((i) => {
        const { instruction, spec, name } = at(bases, i);
        return bad(
          'other people',
          check.near,
          name,
          show(otherPeople(instruction, spec.scenario.person, spec.scenario.company), all),
        );
      }),
      ...[0, 4, 8, 15].map((i) =>
        bad(
          'a few other words',
          check.near,
          at(bases, i).name,
          show(
            synonyms.reduce((text, [from, to]) => text.replace(from, to), `${at(all, i)} Thanks a lot.`),
            all,
          ),
        ),
      ),
      ...[2, 5, 7, 10, 12, 14].map((i) =>
        bad('another order', check.order, at(bases, i).name, show(shuffled(at(all, i)), all)),
      ),
      ...requests
        .slice(0, 4)
        .map((text, i) =>
          bad(
            'other names',
            check.near,
            `request ${i + 1}`,
            show(renamed(text).replaceAll('Archive', 'Past'), [...all, text]),
          ),
        ),
    ];
  },
};

/** Rehearsal has few plans: two seeds may tell one outcome alike, and then are no good example. */
const sameTask = (bases: readonly { spec: { outcome: { kind: string } } }[], a: number, b: number) =>
  at(bases, a).spec.outcome.kind === at(bases, b).spec.outcome.kind;
const shortened = (text: string) =>
  text
    .split(/(?<=[.!?])\s+/)
    .slice(0, 4)
    .join(' ');
