import { membersOf } from './hidden-texts.ts';

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes ?? new Uint8Array());
const plain = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');

/** Names of the sheets of a workbook; empty for what is none. */
export const sheetNames = (bytes: Uint8Array): string[] =>
  [...decode(membersOf(bytes).get('xl/workbook.xml')).matchAll(/<(?:\w+:)?sheet\b[^>]*\bname="([^"]*)"/g)].map(
    ([, name = '']) => plain(name),
  );

const isOn = '(?:1|true|on)';
const protections: readonly [RegExp, RegExp, string][] = [
  [/^xl\/worksheets\/sheet\d+\.xml$/, new RegExp(`<sheetProtection\\b[^>]*\\bsheet="${isOn}"`), 'a sheet is protected'],
  [
    /^xl\/workbook\.xml$/,
    new RegExp(`<workbookProtection\\b[^>]*\\blockStructure="${isOn}"`),
    'its sheets cannot be added to or renamed',
  ],
  [
    /^xl\/workbook\.xml$/,
    new RegExp(`<fileSharing\\b[^>]*\\breadOnlyRecommended="${isOn}"`),
    'it asks to be opened for reading only',
  ],
  [
    /^word\/settings\.xml$/,
    new RegExp(`<w:documentProtection\\b[^>]*\\bw:enforcement="${isOn}"`),
    'the document is protected',
  ],
];

/** What in an Office file keeps people from editing it. */
export function protectionsOf(bytes: Uint8Array): string[] {
  const members = [...membersOf(bytes)];
  return protections.flatMap(([member, mark, what]) =>
    members.some(([name, content]) => member.test(name) && mark.test(decode(content))) ? [what] : [],
  );
}
