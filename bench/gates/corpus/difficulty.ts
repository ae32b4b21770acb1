import { difficulty } from '@cua-forge/gates/spec/difficulty.gate';
import type { HiddenAnswers, TaskSpecification } from '@cua-forge/spec/task';
import { type Base, basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';
import { gridsOf } from '../tables.ts';

const check = {
  start: 'the start is not the end',
  ready: 'answers do not stand ready',
  enough: 'there is enough to work on',
  change: 'something has to change',
  effort: 'the effort is bounded',
};
interface Pair {
  spec: TaskSpecification;
  hidden: HiddenAnswers;
}

/** The user is given what is expected of them. */
const solved = ({ spec, hidden }: Pair): Pair => ({
  hidden,
  spec: changed(spec, (copy) => {
    copy.files = copy.files.map((file) => hidden.expected.find(({ path }) => path === file.path) ?? file);
  }),
});

/** As if the sheet with the results had been left in the workbook, whatever the expected file says. */
const answersIn = ({ spec, hidden }: Pair, how: 'notes' | 'column' | 'text'): Pair => ({
  hidden,
  spec: changed(spec, (copy) => {
    const [file] = copy.files;
    const values = hidden.answers.map(({ value }) => value);
    if (file?.type === 'text') file.content += `\n\n${values.join('\n')}`;
    else if (how === 'text')
      copy.files.push({
        id: 'left',
        path: '/home/user/Documents/left.txt',
        type: 'text',
        content: `Results so far:\n${values.join('\n')}`,
      });
    else if (file?.type === 'xlsx') {
      const [sheet] = file.content.sheets;
      if (sheet === undefined) return;
      if (how === 'notes')
        values.forEach((value, i) => {
          sheet.notes[`Z${i + 1}`] = value;
        });
      else
        file.content.sheets.push({
          ...sheet,
          name: 'Old',
          notes: {},
          columns: [{ name: 'Value', type: 'number' }],
          rows: values.map((value) => [value]),
        });
    } else if (file?.type === 'csv') file.content.rows.push(...values.map((value) => ['Total', value]));
  }),
});

const emptied = ({ spec, hidden }: Pair, keep: number): Pair => ({
  hidden,
  spec: changed(spec, (copy) => {
    for (const { rows } of gridsOf(copy.files)) rows.splice(keep);
  }),
});

const idle = [
  'The sheet that was there stays as it is',
  'Nothing in the file is changed',
  'The file keeps its name',
  'The workbook is open in Calc',
];

export const difficultyCorpus: GateCorpus = {
  gate: difficulty,
  async examples() {
    const bases = await basePackages();
    const [, stock, staff, minutes, budget, visits] = bases;
    if (!stock || !staff || !minutes || !budget || !visits) throw new Error('the six by hand come first');
    const solvable = bases.filter(({ hidden }) => hidden.expected.length > 0);
    const show = ({ spec, hidden }: Pair) => ({ inputs: { spec, hidden } });
    const requirements = (base: Base, texts: readonly string[]): Pair => ({
      hidden: base.hidden,
      spec: changed(base.spec, ({ outcome }) => {
        outcome.requirements = texts.map((text, i) => ({ id: `r${i}`, text, must: true }));
      }),
    });
    const numbered = bases.filter(({ hidden }) =>
      hidden.answers.some(({ value }) => typeof value === 'number' && value > 1000),
    );
    return [
      ...bases.map((base) => good(base.name, show(base))),
      ...bases.slice(6).map((base) =>
        good(
          `${base.name}, shorter`,
          show({
            hidden: base.hidden,
            spec: changed(base.spec, (copy) => {
              for (const { rows } of gridsOf(copy.files)) rows.splice(Math.max(4, rows.length >> 1));
            }),
          }),
        ),
      ),
      good(
        'an answer that is in one row',
        show({
          spec: stock.spec,
          hidden: {
            ...stock.hidden,
            answers: [
              { label: 'largest price', value: 26.5 },
              { label: 'value of all', value: 8123.45 },
            ],
          },
        }),
      ),
      good(
        'a name as answer',
        show({
          spec: staff.spec,
          hidden: { ...staff.hidden, answers: [{ label: 'longest absence', value: 'Mei Castellan' }] },
        }),
      ),
      good('no answers', { inputs: { spec: visits.spec } }),
      good('formatting only', show({ spec: budget.spec, hidden: { ...budget.hidden, answers: [] } })),
      good(
        'a task about order',
        show({
          hidden: {
            answers: [],
            derivation: 'sorted',
            expected: changed(stock.spec.files, ([file]) => {
              if (file?.type === 'csv') file.content.rows.reverse();
            }),
          },
          spec: stock.spec,
        }),
      ),
      ...solvable.map((base) => bad('already solved', check.start, base.name, show(solved(base)))),
      ...numbered
        .slice(0, 6)
        .map((base, i) =>
          bad('answers lie about', check.ready, base.name, show(answersIn(base, at(['notes', 'column', 'text'], i)))),
        ),
      ...[stock, staff, at(bases, 7), at(bases, 9)].map((base) =>
        bad('no data', check.enough, base.name, show(emptied(base, 0))),
      ),
      bad('no data', check.enough, 'a single row', show(emptied(budget, 1))),
      bad(
        'no data',
        check.enough,
        'a text of a word',
        show({
          hidden: minutes.hidden,
          spec: changed(minutes.spec, ({ files: [file] }) => {
            if (file?.type === 'text') file.content = 'Minutes';
          }),
        }),
      ),
      ...[[0], [1, 0], [2], [3, 2], [1, 2, 0]].map((which, i) =>
        bad(
          'nothing to do',
          check.change,
          which.map((one) => idle[one]).join('; '),
          show(
            requirements(
              at(bases, i * 3),
              which.map((one) => idle[one] ?? ''),
            ),
          ),
        ),
      ),
      bad(
        'too much to do',
        check.effort,
        'forty requirements',
        show(
          requirements(
            staff,
            Array.from({ length: 40 }, (_, i) => `Overview has a row for the team number ${i + 1}`),
          ),
        ),
      ),
      bad(
        'too much to do',
        check.effort,
        'thirty files',
        show({
          hidden: stock.hidden,
          spec: changed(stock.spec, ({ files }) => {
            const [first] = files;
            if (first !== undefined)
              for (let i = 0; i < 30; i += 1)
                files.push({ ...structuredClone(first), id: `f${i}`, path: `/home/user/f${i}.csv` });
          }),
        }),
      ),
    ];
  },
};
