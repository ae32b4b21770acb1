import { rubric } from '@cua-forge/gates/package/rubric.gate';
import { draftRubrics, withUnitWeights } from '@cua-forge/nodes/llm/rubric-rules';
import { Rubric } from '@cua-forge/spec/task';
import { type Base, basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, type GateExample, good } from '../example.ts';

const check = {
  one: 'each criterion says one thing',
  weights: 'weights are balanced',
  checkable: 'criteria can be checked',
  end: 'criteria look at the end state',
  always: 'no criterion always holds',
  seen: 'evidence can be seen',
  same: 'no two criteria say the same',
};
type Criterion = Rubric['criteria'][number];

const fine = [
  'The header row of Overview is bold',
  'Cell B2 of Overview holds a formula that sums Days',
  'Overview has no empty rows between its first and its last department',
  'The dates of the sheet Absences are as they were',
  'The names of departments and teams are spelled as in People',
  'Overview stands to the right of Absences',
  'The column Days of Overview holds whole numbers and no texts',
  'staff.xlsx has exactly three sheets',
];
const compound = [
  'The sheet Overview exists, the header is bold and the rows are sorted by Department',
  'Totals are correct and the chart is placed below the table',
  'There is a column Share. It is formatted as a percentage. It stands to the right of Remaining.',
  'The file is saved as PDF and the margins are set to 2 cm and the pages are numbered',
  'All formulas refer to the data; no cell is hard-coded; the sheet is protected',
];
const vague = [
  'The table looks good',
  'The layout is appropriate and user-friendly',
  'The summary is well organised',
  'The result is professional',
  'The formatting is nice to read',
  'The work was done properly',
];
const process = [
  'The agent opened the menu Data before it sorted the rows',
  'The user clicked on the button Save',
  'The assistant used a pivot table rather than typing',
  'The work took fewer than twenty steps',
  'No error was made while working',
];
const evidenceFault = ['none', 'n/a', 'The reasoning of the agent', 'final_report.docx', 'trust the user'];

export const rubricCorpus: GateCorpus = {
  gate: rubric,
  async examples() {
    const bases = await basePackages();
    const [orders, , staff, , budget, visits] = bases;
    if (!orders || !staff || !budget || !visits) throw new Error('the six by hand come first');
    const show = (base: Base, change?: (criteria: Criterion[]) => void) => ({
      inputs: {
        spec: base.spec,
        rubric: change === undefined ? base.rubric : changed(base.rubric, ({ criteria }) => change(criteria)),
      },
    });
    /** Adds a criterion and shares the weights anew, so that nothing else is wrong. */
    const adding = (base: Base, text: string, more: Partial<Criterion> = {}) => {
      const first = at(base.rubric.criteria, 0);
      const added: Criterion = { ...first, id: 'added', text, must: false, weight: 0.1, ...more };
      return { inputs: { spec: base.spec, rubric: withUnitWeights({ criteria: [...base.rubric.criteria, added] }) } };
    };
    const always = (base: Base): string[] => {
      const file = base.prepared[0]?.name ?? '';
      return [
        `The file ${file} exists`,
        `${file} can be opened`,
        'The task is completed',
        `${file} is open in LibreOffice Calc`,
      ];
    };
    const examples: GateExample[] = [
      ...bases.map((base) => good(base.name, show(base))),
      ...bases.slice(0, 8).map((base, i) =>
        good(`${base.name}, other words`, {
          inputs: { spec: base.spec, rubric: withUnitWeights(Rubric.parse(at(draftRubrics(base.spec), i + 2))) },
        }),
      ),
      ...fine.map((text) => good(text, adding(staff, text))),
      ...compound.map((text, i) => bad('several claims at once', check.one, text, adding(at(bases, i * 3), text))),
      ...vague.map((text, i) => bad('a matter of taste', check.checkable, text, adding(at(bases, i * 2 + 1), text))),
      ...process.map((text, i) => bad('about the way', check.end, text, adding(at(bases, i * 3 + 1), text))),
      ...[orders, staff, budget].flatMap((base, i) =>
        [always(base)[i], always(base)[i + 1]].map((text = '') =>
          bad('always true', check.always, text, adding(base, text)),
        ),
      ),
      bad('always true', check.always, 'a sheet that is there', adding(staff, 'staff.xlsx has a sheet named People')),
      bad(
        'always true',
        check.always,
        'a column that is there',
        adding(budget, 'The sheet Budget has a column Planned'),
      ),
      ...evidenceFault.map((evidence, i) =>
        bad(
          'nothing to look at',
          check.seen,
          evidence,
          adding(at(bases, i * 2), 'The first sheet is shown when the file opens', { evidence }),
        ),
      ),
      ...[1, 5, 9].map((i) => {
        const base = at(bases, i);
        const text = at(base.rubric.criteria, 1).text;
        return bad(
          'the same twice',
          check.same,
          base.name,
          adding(base, i === 5 ? `${text}.`.toLowerCase() : `At the end, ${text}`),
        );
      }),
      ...[0, 6, 11].map((i) =>
        bad(
          'one weighs all',
          check.weights,
          at(bases, i).name,
          show(at(bases, i), (criteria) => {
            criteria.forEach((one, index) => {
              one.weight = index === 0 ? 1 - 0.02 * (criteria.length - 1) : 0.02;
            });
          }),
        ),
      ),
      ...[2, 8].map((i) =>
        bad(
          'wishes outweigh musts',
          check.weights,
          at(bases, i).name,
          show(at(bases, i), (criteria) => {
            const wishes = criteria.filter(({ must }) => !must).length;
            for (const one of criteria) one.weight = one.must ? 0.3 / (criteria.length - wishes) : 0.7 / wishes;
          }),
        ),
      ),
      bad(
        'weights do not sum up',
        check.weights,
        'visits',
        show(visits, (criteria) => {
          for (const one of criteria) one.weight = 0.9;
        }),
      ),
    ];
    return examples;
  },
};
