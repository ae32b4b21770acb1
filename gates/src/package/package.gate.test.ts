import { phrasings } from '@cua-forge/nodes/llm/instruction-plans';
import { draftRubrics, withUnitWeights } from '@cua-forge/nodes/llm/rubric-rules';
import { exampleSpecification } from '@cua-forge/nodes/spec/example-specification';
import type { JsonObject } from '@cua-forge/spec/json';
import { Verdict } from '@cua-forge/spec/kind';
import { HiddenAnswers, Rubric, type SetupOperation, TaskSpecification } from '@cua-forge/spec/task';
import { testContext } from '@cua-forge/testing/execute-context';
import { describe, expect, it } from 'vitest';
import { packageGate } from './package.gate.ts';

const spec = TaskSpecification.parse(exampleSpecification);
const hidden = HiddenAnswers.parse({
  answers: [
    { label: 'total of January', value: 1234.5 },
    { label: 'total of February', value: 990.25 },
    { label: 'growth', value: 0.1275 },
    { label: 'number of months', value: 2 },
    { label: 'top month', value: 'January' },
    { label: 'best customer', value: 'Harrow Mills' },
  ],
  expected: [],
  derivation: 'by hand',
});
const path = '/home/user/Documents/orders.xlsx';
const file = { name: 'orders.xlsx', mediaType: 'x/y', hash: 'a'.repeat(64), size: 9 };
const place: SetupOperation = { op: 'place-file', file, path, mode: '0644' };
const rubric = withUnitWeights(Rubric.parse(draftRubrics(spec)[0]));
const [first, ...otherCriteria] = rubric.criteria;
const plain =
  'Please give orders.xlsx a sheet named Overview with one line for each month and the sum of Amount in it.';

async function judge(change: {
  instruction?: string;
  rubric?: Rubric;
  operations?: SetupOperation[];
  files?: (typeof file)[];
  params?: JsonObject;
}) {
  const inputs = {
    instruction: change.instruction ?? plain,
    rubric: change.rubric ?? rubric,
    script: { script: 'true', operations: change.operations ?? [place] },
    files: change.files ?? [file],
    spec,
    hidden,
  };
  const result = await packageGate.execute({
    params: packageGate.params.parse(change.params ?? {}),
    inputs,
    extra: {},
    context: testContext(),
  });
  const { verdict, evidence, feedback } = Verdict.parse(result.verdict);
  const failed = evidence.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
  return { verdict, failed, feedback, passedOn: result.instruction !== undefined && result.rubric !== undefined };
}

const good: [string, string][] = [
  ['a plain request', plain],
  [
    'a request with a date of its own',
    'By Thursday, 12 March 2024, I need orders.xlsx to have a sheet Overview that sums Amount by month.',
  ],
  [
    'a count that is no answer',
    'Two colleagues will read orders.xlsx, so put 1 line per month on a new sheet Overview, with the total Amount.',
  ],
  [
    'the word open for a file',
    'When I open orders.xlsx I want to see a sheet Overview with the monthly totals of Amount.',
  ],
  ['set up as a verb', 'Could you set up a sheet Overview in orders.xlsx, with Amount summed for every month?'],
  [
    'a product launch',
    'We launch a new product soon. In orders.xlsx, add Overview with the sum of Amount for each month.',
  ],
  ['mentions in another case', 'in ORDERS.XLSX, i want a sheet called overview with the amount of every month'],
  [
    'a slash that is no path',
    'Sheet Overview in orders.xlsx: month and/or year in the first column, sum of Amount in the second.',
  ],
  [
    'starting as an ordinary verb',
    'Start with orders.xlsx: the sheet Overview must show Amount by month, newest last.',
  ],
  [
    'numbers near an answer',
    'Orders above 1,200 exist in orders.xlsx; still, Overview needs each month with its Amount, all 12345 lines counted.',
  ],
  ['a year', 'Sum Amount of 2024 by month on a new sheet Overview of orders.xlsx, 3 columns at most.'],
  [
    'an environment that is no computer',
    'The environment team wants orders.xlsx with a sheet Overview that has Amount per month.',
  ],
  [
    'several lines',
    'Hello!\n\n- orders.xlsx gets a sheet Overview\n- it has one line a month\n- with the sum of Amount\n\nThanks, Dana Reyes',
  ],
  ...phrasings(spec).map((text, index): [string, string] => [`rehearsed phrasing ${index + 1}`, text]),
];

const leaking: [string, string, RegExp][] = [
  ['an answer in English formatting', `${plain} January must show 1,234.50.`, /total of January/],
  ['an answer in German formatting', `${plain} January must show 1.234,50 €.`, /total of January/],
  ['an answer without formatting', `${plain} I get 1234.5 by hand.`, /total of January/],
  [
    'an answer in words',
    `${plain} It is one thousand two hundred thirty-four dollars and fifty cents.`,
    /total of January/,
  ],
  ['a rounded answer', `${plain} Roughly $990.3 for the second month.`, /total of February/],
  ['an answer as percentage', `${plain} That is 12.75% more.`, /growth/],
  ['a small answer that is stated', `${plain} The number of months is 2.`, /number of months/],
  ['a word that is the answer', `${plain} You will find that january is on top.`, /top month/],
  ['a name that is the answer', `${plain} HARROW  MILLS bought most.`, /best customer/],
  ['a full path', plain.replace('orders.xlsx', path), /a path of the computer/],
  ['a home path', `${plain} It is in ~/Documents/.`, /a path of the computer/],
  ['the setup', `${plain} The setup has put it there.`, /the setup/],
  ['a script', `${plain} A script copied the file.`, /a script/],
  ['the sandbox', `${plain} You work in a sandbox.`, /the sandbox/],
  ['a command', `${plain} Run soffice first.`, /a command/],
  ['launching an application', `Launch LibreOffice Calc. ${plain}`, /launching the application/],
  ['an application that was opened', `Calc is already open. ${plain}`, /launching the application/],
  ['a prepared computer', `${plain} The desktop has been prepared.`, /what was prepared/],
  ['a missing name', 'Please sum Amount by month in orders.xlsx on a new sheet.', /“Overview” is not mentioned/],
  ['a file that is not there', `${plain} Compare with budget.xlsx.`, /no file budget.xlsx/],
  ['a placeholder', `${plain} Thanks, {{ person }}`, /placeholder/],
  ['hardly a text', 'orders.xlsx Overview Amount', /too short/],
];

describe('gate.package', () => {
  it.each(good)('passes %s', async (_name, instruction) => {
    expect(await judge({ instruction })).toEqual({ verdict: 'pass', failed: [], feedback: undefined, passedOn: true });
  });

  it.each(leaking)('asks to repair an instruction with %s', async (_name, instruction, message) => {
    const { verdict, failed, feedback, passedOn } = await judge({ instruction });
    expect({ verdict, passedOn }).toEqual({ verdict: 'repair', passedOn: false });
    expect(failed.join('\n')).toMatch(message);
    expect(feedback).toMatch(/\w/);
  });

  const criterion = {
    id: 'other',
    text: 'It looks tidy',
    weight: 0.1,
    must: false,
    judge: 'model' as const,
    evidence: 'the file',
  };
  it.each<[string, Rubric['criteria'], RegExp]>([
    [
      'misses a must requirement',
      otherCriteria.map((one) => ({ ...one, weight: 0.5 })),
      /no must criterion has the id sheet/,
    ],
    ['makes a must optional', first === undefined ? [] : [{ ...first, must: false }, ...otherCriteria], /id sheet/],
    ['weighs too much', [...rubric.criteria, criterion], /sum to 1.1/],
    [
      'demands what is not asked',
      withUnitWeights({ criteria: [...rubric.criteria, { ...criterion, must: true }] }).criteria,
      /criterion other is a must/,
    ],
    [
      'repeats an id',
      withUnitWeights({ criteria: [...rubric.criteria, ...otherCriteria] }).criteria,
      /two criteria have the id totals/,
    ],
    [
      'judges the setup',
      withUnitWeights({ criteria: [...rubric.criteria, { ...criterion, text: 'The setup script ran' }] }).criteria,
      /criterion other is about the setup/,
    ],
    [
      'judges the launching',
      withUnitWeights({ criteria: [...rubric.criteria, { ...criterion, text: 'LibreOffice Calc was launched' }] })
        .criteria,
      /launching/,
    ],
  ])('asks to repair a rubric that %s', async (_name, criteria, message) => {
    const { verdict, failed } = await judge({ rubric: { criteria } });
    expect(verdict).toBe('repair');
    expect(failed.join('\n')).toMatch(message);
  });

  it.each<[string, Parameters<typeof judge>[0], RegExp]>([
    ['a file that is not placed', { operations: [] }, /does not place book/],
    ['a file at another path', { operations: [{ ...place, path: '/home/user/other.xlsx' }] }, /not specified/],
    [
      'a placed file that no gate saw',
      { operations: [{ ...place, file: { ...file, hash: 'b'.repeat(64) } }] },
      /not among the checked files/,
    ],
    [
      'a checked file that is not placed',
      { files: [file, { ...file, name: 'b.csv', hash: 'c'.repeat(64) }] },
      /b\.csv is not placed/,
    ],
  ])('rejects %s, even if the texts could be repaired', async (_name, change, message) => {
    const { verdict, failed, feedback } = await judge({ ...change, instruction: 'no' });
    expect({ verdict, feedback }).toEqual({ verdict: 'reject', feedback: undefined });
    expect(failed.join('\n')).toMatch(message);
  });

  it('judges only the parts it is asked to', async () => {
    expect((await judge({ instruction: 'no', params: { looksAt: ['rubric'] } })).verdict).toBe('pass');
    expect(
      (await judge({ rubric: { criteria: [criterion] }, params: { looksAt: ['instruction', 'agreement'] } })).verdict,
    ).toBe('pass');
  });
});
