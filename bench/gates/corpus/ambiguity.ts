import { ambiguity } from '@cua-forge/gates/package/ambiguity.gate';
import type { TaskSpecification } from '@cua-forge/spec/task';
import { type Base, basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';

const check = {
  file: 'files that are named exist',
  sheet: 'sheets that are named exist',
  column: 'columns that are named exist',
  quote: 'what is quoted exists',
  one: 'names mean one thing',
  open: 'nothing is left open',
  given: 'nothing is referred to that is not given',
};

/** Requests for staff.xlsx (sheets People and Absences) as people write them. */
const staffTexts = [
  'In staff.xlsx, please sum Days of the sheet Absences for each Department on a new sheet Overview.',
  'The sheet "Absences" of staff.xlsx holds single periods. Give me a sheet “Overview” with Days summed by Department.',
  'staff.xlsx needs an Overview sheet: one row for each Department, Days added up. Leave the People sheet alone.',
  'Add Overview to staff.xlsx with the column Department first and the column Days second, sorted by Department.',
  'On a new sheet called Overview in staff.xlsx, list every Department with its Days; the headings go in bold into row 1, starting in cell A1.',
  "Could staff.xlsx get a sheet Overview, as a table of Department and Days? I don't mind the colours, but it's urgent.",
  'For Overview in staff.xlsx: the Employee ID column of the Absences tab links to that of the People tab. I want Department and the sum of Days.',
  'Tom Akande here. My boss said “by Friday”, so please put the Days of each Department on a sheet Overview of staff.xlsx.',
  'Use the first sheet of staff.xlsx to find the Department of each Employee ID, then give Days by Department on Overview.',
];
const otherTexts = (instruction: string) => [
  `${instruction} The sheet that was there stays.`,
  `${instruction} As always, I trust your eye for detail.`,
  `${instruction} If a column has no heading, give it none.`,
];

const sheetsFault = [
  'the sheet Archive',
  'the “Forecast” sheet',
  'the tab Inputs',
  'sheet named Pivot_2019, which is already there,',
];
const columnsFault = ['the column Surcharge', 'the “Tax Code” column', 'the Warranty column', 'column called Weight'];
const openFault = [
  'Do it the usual way.',
  'Format it as we discussed last week.',
  'Fill in the other columns as needed.',
  'Choose whichever sheet seems appropriate.',
  'Add some more columns, formatting, etc.',
  'You know which rows I mean.',
  'Make it look like last time.',
];
const givenFault = [
  'The layout is in the attached screenshot.',
  'Follow the link below for the rules.',
  'Use the template that I sent you by mail.',
  'See the picture above for the colours.',
  'The attachment has the details.',
];

function twoOf(spec: TaskSpecification): TaskSpecification {
  return changed(spec, (copy) => {
    const first = copy.files[0];
    if (first !== undefined)
      copy.files.push({
        ...structuredClone(first),
        id: 'second',
        path: first.path.replace('/Documents/', '/Archive/'),
      });
  });
}

/** A second sheet with the same headings, where the instruction names neither sheet. */
function sameColumns(spec: TaskSpecification): TaskSpecification {
  return changed(spec, (copy) => {
    for (const file of copy.files) {
      if (file.type !== 'xlsx') continue;
      const first = file.content.sheets[0];
      if (first === undefined) continue;
      file.content.sheets = [
        { ...first, name: 'Zone 51' },
        { ...structuredClone(first), name: 'Zone 52' },
      ];
    }
  });
}

const twiceInOne = (spec: TaskSpecification, name: string) =>
  changed(spec, (copy) => {
    for (const file of copy.files) {
      if (file.type !== 'csv' && file.type !== 'xlsx') continue;
      const columns =
        file.type === 'csv' ? file.content.columns : file.content.sheets.flatMap((sheet) => sheet.columns);
      const other = columns.find((column) => column.name !== name);
      if (other !== undefined) other.name = name;
    }
  });

export const ambiguityCorpus: GateCorpus = {
  gate: ambiguity,
  async examples() {
    const bases = await basePackages();
    const [orders, stock, staff, minutes, budget, visits] = bases;
    if (!orders || !stock || !staff || !minutes || !budget || !visits) throw new Error('the six by hand come first');
    const show = ({ spec }: Base, instruction: string) => ({ inputs: { instruction, spec } });
    const plus = (index: number, more: string) => {
      const base = at(bases, index);
      return show(base, `${base.instruction} ${more}`);
    };
    return [
      ...bases.map((base) => good(base.name, show(base, base.instruction))),
      ...staffTexts.map((text, i) => good(`staff ${i + 1}`, show(staff, text))),
      ...otherTexts(budget.instruction).map((text, i) => good(`budget ${i + 1}`, show(budget, text))),
      good('two files of one name, told apart', {
        inputs: {
          instruction: `${budget.instruction} I mean budget.xlsx in the folder Documents.`,
          spec: twoOf(budget.spec),
        },
      }),
      good('columns in two sheets, told apart', {
        inputs: {
          instruction: `${orders.instruction} The Amount of Zone 51 is meant.`,
          spec: sameColumns(orders.spec),
        },
      }),
      good(
        'a value of the data in quotes',
        show(stock, `${stock.instruction} The “${'Cork board'}” is the best-seller.`),
      ),
      ...['inventory_old.csv', 'Summary 2019.xlsx', 'rates.pdf', 'readme.md', 'orders.csv'].map((name, i) =>
        bad('a file that is not there', check.file, name, plus(i * 3, `Take the rest from ${name}.`)),
      ),
      ...sheetsFault.map((what, i) =>
        bad('a sheet that is not there', check.sheet, what, plus(i * 2, `The figures of ${what} count as well.`)),
      ),
      ...columnsFault.map((what, i) =>
        bad(
          'a column that is not there',
          check.column,
          what,
          plus(i * 3 + 1, `Please leave out what ${what} marks as void.`),
        ),
      ),
      ...['Grand Overview 3', 'Zeta Holdings', 'Delivery Status'].map((name, i) =>
        bad('a quoted name that is nowhere', check.quote, name, plus(i * 5, `Mind the rows with “${name}” too.`)),
      ),
      ...[1, 4, 7, 12].map((i) => {
        const base = at(bases, i);
        return bad('two files of one name', check.one, base.name, {
          inputs: { instruction: base.instruction, spec: twoOf(base.spec) },
        });
      }),
      ...[orders, budget].map((base) =>
        bad('a column in two sheets', check.one, base.name, {
          inputs: {
            instruction: base.instruction.replaceAll('Budget', 'data').replaceAll('Orders', 'data'),
            spec: sameColumns(base.spec),
          },
        }),
      ),
      ...[
        [orders, 'Amount'],
        [stock, 'Quantity'],
        [budget, 'Spent'],
      ].flatMap(([base, name]) =>
        typeof base === 'object' && typeof name === 'string'
          ? [
              bad('a heading twice in a table', check.one, name, {
                inputs: { instruction: base.instruction, spec: twiceInOne(base.spec, name) },
              }),
            ]
          : [],
      ),
      ...openFault.map((more, i) => bad('left open', check.open, more, plus(i * 2 + 1, more))),
      ...givenFault.map((more, i) => bad('not given', check.given, more, plus(i * 3 + 2, more))),
    ];
  },
};
