import type { JsonObject } from '@cua-forge/spec/json';

/** A small specification with one file of each type: what the preparers' examples and tests are run on. */
export const exampleSpec: JsonObject = {
  skill: 'example-skill',
  domain: 'spreadsheets',
  applications: ['libreoffice-calc'],
  outcome: {
    kind: 'monthly-totals',
    summary: 'The workbook has a sheet with the total amount of each month.',
    requirements: [{ id: 'totals', text: 'Every month has its total amount.', must: true }],
    mentions: ['orders.xlsx'],
  },
  scenario: {
    person: 'Dana Reyes',
    role: 'office manager',
    company: 'Alder & Finch',
    motive: 'the quarterly review is due',
  },
  files: [
    {
      id: 'book',
      path: '/home/user/Documents/orders.xlsx',
      type: 'xlsx',
      content: {
        sheets: [
          {
            name: 'Orders',
            notes: { B1: 'Orders 2024', G4: 'checked by hand' },
            headerRow: 3,
            firstColumn: 2,
            columns: [
              { name: 'Date', type: 'date', format: 'dd/mm/yyyy', width: 14 },
              { name: 'Region', type: 'text', width: 9 },
              { name: 'Amount', type: 'currency', format: '"$"#,##0.00', width: 12.5 },
              { name: 'With tax', type: 'number' },
            ],
            rows: [
              ['2024-01-05', 'North', 120.5, { formula: 'D4*1.2', result: 144.6 }],
              ['2024-02-11', 'South', 0, { formula: 'D5*1.2', result: 0 }],
              ['2024-02-28', '=not a formula', null, { formula: 'D6*1.2' }],
            ],
            style: {
              headerFill: 'FF1F4E78',
              headerFont: 'FFFFFFFF',
              banded: true,
              freezeHeader: true,
              autoFilter: true,
            },
          },
          {
            name: 'Summary',
            notes: {},
            headerRow: 1,
            firstColumn: 1,
            columns: [
              { name: 'Month', type: 'text' },
              { name: 'Total', type: 'number' },
            ],
            rows: [
              ['January', { formula: 'SUMIFS(Orders!$D$4:$D$6,Orders!$B$4:$B$6,"<"&DATE(2024,2,1))', result: 120.5 }],
              ['Average', { formula: 'AVERAGE(Amounts)' }],
            ],
            style: { frozenColumns: 1 },
            cellStyles: [
              {
                range: 'A1:B1',
                style: {
                  font: { name: 'Arial', size: 11, bold: true, color: 'FF1F4E78' },
                  fill: 'FFDDEBF7',
                  border: { bottom: { line: 'medium', color: 'FF1F4E78' } },
                  align: { horizontal: 'center', wrap: true },
                },
              },
              { range: 'B2:B3', style: { numberFormat: '#,##0.00', align: { horizontal: 'right' } } },
            ],
            table: { name: 'Totals', theme: 'TableStyleLight9' },
          },
          {
            name: 'Stock',
            notes: { A1: 'Stock by shelf' },
            headerRow: 3,
            firstColumn: 1,
            columns: [
              { name: 'Item', type: 'text', width: 14 },
              { name: 'Shelf', type: 'text' },
              { name: 'Count', type: 'integer' },
              { name: 'Checked', type: 'date' },
            ],
            rows: [
              ['Lamp', 'A1', 4, '2024-05-02'],
              ['Chair', 'B2', 18, '2024-04-11'],
              ['Desk', 'A1', 2, '2024-05-20'],
              ['Lamp', 'C7', 9, null],
            ],
            style: { headerFill: 'FFE2EFDA' },
            merges: ['A1:D1'],
            conditionalFormats: [
              {
                range: 'C4:C7',
                rules: [
                  { type: 'cell', operator: 'lessThan', values: [5], format: { fill: 'FFFFC7CE', color: 'FF9C0006' } },
                  { type: 'data-bar', color: 'FF638EC6' },
                ],
              },
              { range: 'A4:A7', rules: [{ type: 'duplicates', format: { bold: true } }] },
              {
                range: 'A4:D7',
                rules: [{ type: 'formula', formula: 'ISBLANK($D4)', format: { fill: 'FFFFEB9C', italic: true } }],
              },
            ],
            validations: [
              {
                range: 'C4:C20',
                rule: { type: 'whole', operator: 'between', values: [0, 500] },
                error: 'Counts go from 0 to 500.',
              },
              { range: 'B4:B20', rule: { type: 'list', entries: ['A1', 'B2', 'C7'] }, prompt: 'Choose the shelf.' },
              {
                range: 'D4:D20',
                rule: { type: 'date', operator: 'greaterThanOrEqual', values: ['2024-01-01'] },
              },
            ],
          },
        ],
        activeSheet: 'Summary',
        definedNames: [{ name: 'Amounts', refersTo: 'Orders!$D$4:$D$6' }],
      },
    },
    {
      id: 'table',
      path: '/home/user/Documents/contacts.csv',
      type: 'csv',
      content: {
        columns: [
          { name: 'Name', type: 'text' },
          { name: 'Note', type: 'text' },
          { name: 'Amount', type: 'number' },
        ],
        rows: [
          ['Ann, "A"', 'two\nlines', 12.5],
          ['Zoë', null, -3],
        ],
      },
    },
    {
      id: 'letter',
      path: '/home/user/Documents/house-rules.docx',
      type: 'docx',
      content: {
        page: { width: 595.3, height: 841.9, top: 72, right: 56.7, bottom: 72, left: 70.9 },
        styles: { Normal: { font: 'Liberation Serif', size: 11 }, 'Heading 1': { color: '1F4E78', size: 17 } },
        header: [{ type: 'paragraph', style: 'Normal', align: 'right', runs: [{ text: 'Alder & Finch' }] }],
        footer: [
          {
            type: 'paragraph',
            style: 'Normal',
            align: 'center',
            runs: [{ text: 'Page ' }, { text: '', field: 'page' }, { text: ' of ' }, { text: '', field: 'pages' }],
          },
        ],
        blocks: [
          { type: 'paragraph', style: 'Title', runs: [{ text: 'House rules' }] },
          { type: 'paragraph', style: 'Heading 1', runs: [{ text: '1. Keys' }] },
          {
            type: 'paragraph',
            style: 'Normal',
            align: 'justify',
            runs: [
              { text: 'Every key is signed for. ' },
              { text: 'Lost keys', bold: true, color: 'C00000' },
              { text: ' are reported within two  days: Zoë keeps the list.', italic: true },
            ],
          },
          {
            type: 'paragraph',
            style: 'Normal',
            list: { kind: 'number', id: 'steps', level: 0 },
            runs: [{ text: 'Ask at the desk.' }],
          },
          {
            type: 'paragraph',
            style: 'Normal',
            list: { kind: 'number', id: 'steps', level: 0 },
            runs: [{ text: 'Sign the list.' }],
          },
          {
            type: 'paragraph',
            style: 'Normal',
            list: { kind: 'bullet', id: 'notes', level: 1 },
            runs: [{ text: 'A tab\tand a line\nend.' }],
          },
          {
            type: 'table',
            headerRow: true,
            borders: true,
            rows: [
              [
                { runs: [{ text: 'Door', bold: true }], fill: 'D9E2F3' },
                { runs: [{ text: 'Keys', bold: true }], fill: 'D9E2F3', align: 'right' },
              ],
              [{ runs: [{ text: 'Archive' }] }, { runs: [{ text: '3' }], align: 'right' }],
            ],
          },
          {
            type: 'image',
            name: 'Plan of the doors',
            width: 90,
            height: 60,
            png: 'iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAKUlEQVR42g3HMQEAAAzCMJSgBCVVUvlbviSxcZGY1NZV+pmdm+yDxSF4K1MNIVlUCYcAAAAASUVORK5CYII=',
          },
          { type: 'paragraph', style: 'Heading 2', pageBreakBefore: true, runs: [{ text: 'Annex' }] },
        ],
      },
    },
    {
      id: 'invoice',
      path: '/home/user/Documents/invoice-0042.pdf',
      type: 'pdf',
      content: {
        title: 'Invoice 0042',
        paper: 'A4',
        margin: 56,
        font: 'sans',
        accent: '1F4E78',
        blocks: [
          {
            type: 'columns',
            columns: [
              { lines: ['Alder & Finch', '12 Mill Lane', 'Harrowgate'] },
              { lines: ['Invoice 0042', '2024-02-11'], align: 'right' },
            ],
          },
          { type: 'space', height: 24 },
          { type: 'heading', text: 'Invoice' },
          {
            type: 'table',
            look: 'banded',
            columns: [
              { name: 'Item', share: 4 },
              { name: 'Amount', share: 1, align: 'right' },
            ],
            rows: [
              ['Repair of two doors', '€1,204.50'],
              ['', ''],
              ['Keys', '€36.00'],
            ],
          },
          { type: 'rule' },
          { type: 'text', text: 'Payable within 14 days. Thank you, Zoë!', bold: true },
        ],
        footer: 'Page {page} of {pages}',
      },
    },
    {
      id: 'report',
      path: '/home/user/Documents/report.md',
      type: 'md',
      content: [
        { type: 'heading', level: 1, text: 'Orders & stock' },
        { type: 'paragraph', text: 'Numbers with * and _ in them: 2*3*4, snake_case, <none>.' },
        { type: 'list', ordered: true, items: ['Count the shelves', 'Enter the counts'] },
        {
          type: 'tasks',
          items: [
            { text: 'Lamps', done: true },
            { text: 'Desks', done: false },
          ],
        },
        {
          type: 'table',
          columns: [
            { name: 'Item', type: 'text' },
            { name: 'Count', type: 'integer' },
          ],
          rows: [
            ['Lamp | small', 4],
            ['Desk', null],
          ],
        },
        { type: 'quote', text: 'Checked by hand.' },
        { type: 'code', language: 'sh', text: 'ls -l\ndf -h' },
        { type: 'rule' },
      ],
    },
    {
      id: 'settings',
      path: '/home/user/Documents/settings.json',
      type: 'json',
      content: { name: 'Alder & Finch', rates: [0.05, 0.19], nested: { open: true, none: null } },
    },
    { id: 'note', path: '/home/user/Documents/readme.txt', type: 'text', content: 'First line\r\nSecond: café' },
  ],
  preconditions: [{ type: 'file-present', file: 'book' }],
  constraints: [],
  traits: {},
};
