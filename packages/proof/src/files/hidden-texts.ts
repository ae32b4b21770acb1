import { unzipSync } from 'fflate';

const MOST_UNPACKED = 100 * 1024 * 1024;
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const texts = (xml: string): string =>
  xml
    .replace(/<[^>]+>/g, '\n')
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim();

/** Members of a zip by name; empty for what is none. */
export function membersOf(bytes: Uint8Array): Map<string, Uint8Array> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new Map();
  let size = 0;
  try {
    const members = unzipSync(bytes, {
      filter: ({ originalSize }) => {
        size += originalSize;
        return size <= MOST_UNPACKED;
      },
    });
    return new Map(Object.entries(members));
  } catch {
    return new Map();
  }
}

const outOfSight: readonly [RegExp, string][] = [
  [/^docProps\/|^meta\.xml$|^customXml\//, 'its properties'],
  [/^xl\/(?:comments|threadedComments|drawings\/vmlDrawing)|^xl\/persons/, 'a comment'],
  [/^word\/comments|^ppt\/comments/, 'a comment'],
  [/^word\/glossary\/|\/embeddings\//, 'what is embedded in it'],
];

const columnOf = (address: string): number =>
  [...(/^[A-Z]+/.exec(address)?.[0] ?? '')].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);

/** Whether a cell lies in a row or a column that is hidden. */
function hidesCell(sheet: string): (address: string) => boolean {
  const hides = (tag: string) => /\bhidden="(?:1|true)"/.test(tag);
  const number = (tag: string, name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(tag)?.[1] ?? 0);
  const columns = [...sheet.matchAll(/<col\b[^>]*>/g)].flatMap(([tag]) =>
    hides(tag) ? [[number(tag, 'min'), number(tag, 'max')] as const] : [],
  );
  const rows = new Set([...sheet.matchAll(/<row\b[^>]*>/g)].flatMap(([tag]) => (hides(tag) ? [number(tag, 'r')] : [])));
  return (address) => {
    const column = columnOf(address);
    return (
      rows.has(Number(/\d+$/.exec(address)?.[0] ?? 0)) || columns.some(([from, to]) => from <= column && column <= to)
    );
  };
}

/** Sheets, rows and columns of a workbook that nobody sees, with the texts and numbers in their cells. */
function hiddenCells(members: ReadonlyMap<string, Uint8Array>): { where: string; text: string }[] {
  const book = decode(members.get('xl/workbook.xml') ?? new Uint8Array());
  const relations = decode(members.get('xl/_rels/workbook.xml.rels') ?? new Uint8Array());
  const shared = [
    ...decode(members.get('xl/sharedStrings.xml') ?? new Uint8Array()).matchAll(/<si\b[^>]*>([\s\S]*?)<\/si>/g),
  ].map(([, inner = '']) => texts(inner).replaceAll('\n', ''));
  return [...book.matchAll(/<sheet\b[^>]*>/g)].flatMap(([tag]) => {
    const whole = /\bstate="(?:hidden|veryHidden)"/.test(tag);
    const id = /\br:id="([^"]+)"/.exec(tag)?.[1] ?? '';
    const relation = [...relations.matchAll(/<Relationship\b[^>]*>/g)].find(([one]) => one.includes(`Id="${id}"`))?.[0];
    const target = /\bTarget="\/?(?:xl\/)?([^"]+)"/.exec(relation ?? '')?.[1] ?? '';
    const sheet = decode(members.get(`xl/${target}`) ?? new Uint8Array());
    const hides = hidesCell(sheet);
    const cells = [...sheet.matchAll(/<c\b([^>]*[^/])>([\s\S]*?)<\/c>/g)].flatMap(([, attributes = '', inner = '']) => {
      if (!whole && !hides(/\br="([A-Z]+\d+)"/.exec(attributes)?.[1] ?? '')) return [];
      const value = /<v>([^<]*)<\/v>/.exec(inner)?.[1] ?? '';
      return /\bt="s"/.test(attributes) ? (shared[Number(value)] ?? '') : value === '' ? texts(inner) : value;
    });
    return [{ where: whole ? 'a hidden sheet' : 'hidden rows or columns', text: cells.join('\n') }];
  });
}

/** Values of names are seen in no cell. */
const definedNames = (members: ReadonlyMap<string, Uint8Array>): { where: string; text: string }[] => {
  const book = decode(members.get('xl/workbook.xml') ?? new Uint8Array());
  const values = [...book.matchAll(/<definedName\b[^>]*>([^<]*)<\/definedName>/g)]
    .map(([, value = '']) => value)
    .filter((value) => !/![$A-Z]/.test(value));
  return values.length === 0 ? [] : [{ where: 'a defined name', text: values.join('\n') }];
};

const vanished = (members: ReadonlyMap<string, Uint8Array>): { where: string; text: string }[] => {
  const body = decode(members.get('word/document.xml') ?? new Uint8Array());
  const runs = [
    ...body.matchAll(/<w:r\b[^>]*>(?:(?!<\/w:r>)[\s\S])*?<w:vanish\b(?![^>]*(?:false|"0"))[\s\S]*?<\/w:r>/g),
  ];
  const deleted = [...body.matchAll(/<w:del\b[\s\S]*?<\/w:del>/g)];
  return [...runs, ...deleted].map(([xml]) => ({ where: 'hidden text', text: texts(xml) }));
};

/** What a file holds besides what people see when they open it, and where. */
export function hiddenTexts(bytes: Uint8Array): { where: string; text: string }[] {
  const members = membersOf(bytes);
  if (members.size === 0) {
    const info = /\/Info\b/.test(
      Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-' ? Buffer.from(bytes).toString('latin1') : '',
    );
    if (!info) return [];
    const strings = [
      ...Buffer.from(bytes)
        .toString('latin1')
        .matchAll(/\/(?:Title|Author|Subject|Keywords|Creator|Producer)\s*\(((?:\\.|[^\\)])*)\)/g),
    ];
    return strings.map(([, text = '']) => ({ where: 'its properties', text }));
  }
  const parts = [...members].flatMap(([name, content]) => {
    const where = outOfSight.find(([pattern]) => pattern.test(name))?.[1];
    return where === undefined ? [] : [{ where, text: texts(decode(content)) }];
  });
  return [...parts, ...hiddenCells(members), ...definedNames(members), ...vanished(members)].filter(
    ({ text }) => text !== '',
  );
}

/** All that an Office file says, seen or not; empty for any other. */
export const allTexts = (bytes: Uint8Array): string =>
  [...membersOf(bytes)]
    .flatMap(([name, content]) => (/\.xml$/.test(name) ? [texts(decode(content))] : []))
    .filter((text) => text !== '')
    .join('\n');
