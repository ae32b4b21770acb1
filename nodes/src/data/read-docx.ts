import { ForgeError } from '@cua-forge/spec/errors';
import {
  type Block,
  type PageSetup,
  type Paragraph,
  type Picture,
  papers,
  type Run,
  type TextDocument,
  type TextTable,
} from '@cua-forge/spec/text-document';
import { unzipSync } from 'fflate';
import { merged, type Parts, readParagraph, readRuns } from './docx/paragraphs.ts';
import { alignmentOf, colorOf, readStyles } from './docx/styles.ts';
import { attribute, child, children, descendants, type Element, flag, numeric, parseXml } from './docx/xml.ts';
import { unpackedSize } from './zip-size.ts';

const MB = 1024 * 1024;
/** Bytes unpacked, of the whole and of the text alone, and blocks that are read. */
const limits = { unpacked: 200 * MB, text: 30 * MB, blocks: 20_000, picture: 2 * MB };

export interface ReadDocument {
  document: TextDocument;
  /** Pictures in the file, also those that are no PNG and so not part of the document. */
  images: number;
}

type Members = Record<string, Uint8Array>;

function relations(members: Members, part: string): Map<string, string> {
  const slash = part.lastIndexOf('/');
  const bytes = members[`${part.slice(0, slash)}/_rels/${part.slice(slash + 1)}.rels`];
  const found = new Map<string, string>();
  for (const each of bytes === undefined ? [] : children(parseXml(bytes))) {
    const [id, target] = [attribute(each, 'Id'), attribute(each, 'Target')];
    if (id === undefined || target === undefined || attribute(each, 'TargetMode') === 'External') continue;
    found.set(id, target.startsWith('/') ? target.slice(1) : `${part.slice(0, slash)}/${target}`);
  }
  return found;
}

function listKinds(root: Element | undefined): Parts['listKind'] {
  const all = root === undefined ? [] : children(root);
  const abstracts = new Map(
    all.filter((each) => each.localName === 'abstractNum').map((each) => [attribute(each, 'abstractNumId'), each]),
  );
  const lists = new Map(
    all
      .filter((each) => each.localName === 'num')
      .map((each) => [attribute(each, 'numId'), abstracts.get(attribute(child(each, 'abstractNumId'), 'val'))]),
  );
  return (id, level) => {
    const list = lists.get(id);
    const own =
      list === undefined
        ? undefined
        : children(list).find((each) => each.localName === 'lvl' && numeric(each, 'ilvl') === level);
    const format = attribute(child(own, 'numFmt'), 'val');
    if (format === undefined || format === 'none') return undefined;
    return format === 'bullet' ? 'bullet' : 'number';
  };
}

const withBreaks = (parts: readonly (readonly Run[])[]): Run[] =>
  merged(parts.flatMap((runs, index) => (index === 0 ? [...runs] : [{ text: '\n' }, ...runs])));

function readTable(element: Element): TextTable | undefined {
  const rows = children(element)
    .filter((each) => each.localName === 'tr')
    .map((row) =>
      children(row)
        .filter((each) => each.localName === 'tc')
        .map((cell) => {
          const paragraphs = descendants(cell, 'p');
          const fill = colorOf(attribute(child(cell, 'tcPr', 'shd'), 'fill'));
          const align = alignmentOf(child(paragraphs[0], 'pPr'));
          return {
            runs: withBreaks(paragraphs.map(readRuns)),
            ...(align === undefined ? {} : { align }),
            ...(fill === undefined ? {} : { fill }),
          };
        }),
    )
    .filter((row) => row.length > 0);
  if (rows.length === 0) return undefined;
  const properties = child(element, 'tblPr');
  const borders = child(properties, 'tblBorders');
  const drawn = (borders === undefined ? [] : children(borders)).some(
    (each) => !['none', 'nil', undefined].includes(attribute(each, 'val')),
  );
  const first = children(element).find((each) => each.localName === 'tr');
  return {
    type: 'table',
    rows,
    headerRow: flag(child(first, 'trPr', 'tblHeader')) === true,
    borders: borders === undefined ? child(properties, 'tblStyle') !== undefined : drawn,
  };
}

const isPng = (bytes: Uint8Array) => bytes[0] === 0x89 && bytes[1] === 0x50 && bytes[2] === 0x4e && bytes[3] === 0x47;

function readPictures(element: Element, members: Members, targets: Map<string, string>): Picture[] {
  return descendants(element, 'drawing').flatMap((drawing, index): Picture[] => {
    const [extent] = descendants(drawing, 'extent');
    const [blip] = descendants(drawing, 'blip');
    const bytes = members[targets.get(attribute(blip, 'embed') ?? '') ?? ''];
    const [width, height] = [numeric(extent, 'cx'), numeric(extent, 'cy')];
    if (bytes === undefined || !isPng(bytes) || bytes.length > limits.picture) return [];
    if (width === undefined || height === undefined) return [];
    const [about] = descendants(drawing, 'docPr');
    const name = attribute(about, 'descr') || attribute(about, 'name') || `Picture ${index + 1}`;
    const inPoints = (emu: number) => Math.min(Math.max(Math.round((emu / 12_700) * 100) / 100, 1), 2_000);
    const png = Buffer.from(bytes).toString('base64');
    return [{ type: 'image', name, width: inPoints(width), height: inPoints(height), png }];
  });
}

function readBlocks(body: Element, parts: Parts, members: Members, targets: Map<string, string>): Block[] {
  const blocks: Block[] = [];
  let breakDue = false;
  const visit = (element: Element) => {
    for (const each of children(element)) {
      if (blocks.length >= limits.blocks) return;
      if (each.localName === 'p') {
        const pictures = readPictures(each, members, targets);
        const paragraph = readParagraph(each, parts);
        if (pictures.length === 0 || paragraph.runs.length > 0)
          blocks.push(breakDue ? { ...paragraph, pageBreakBefore: true } : paragraph);
        blocks.push(...pictures);
        breakDue = descendants(each, 'br').some((mark) => attribute(mark, 'type') === 'page');
      } else if (each.localName === 'tbl') {
        const table = readTable(each);
        if (table !== undefined) blocks.push(table);
      } else if (each.localName === 'sdt' || each.localName === 'sdtContent' || each.localName === 'ins') visit(each);
    }
  };
  visit(body);
  return blocks;
}

function readPage(section: Element | undefined): PageSetup {
  const [size, margins] = [child(section, 'pgSz'), child(section, 'pgMar')];
  const points = (twips: number | undefined, usual: number) =>
    twips === undefined ? usual : Math.min(Math.max(twips / 20, 0), 2_000);
  return {
    width: points(numeric(size, 'w'), papers.Letter.width),
    height: points(numeric(size, 'h'), papers.Letter.height),
    top: points(numeric(margins, 'top'), 72),
    right: points(numeric(margins, 'right'), 72),
    bottom: points(numeric(margins, 'bottom'), 72),
    left: points(numeric(margins, 'left'), 72),
  };
}

const unreadable = (name: string, why: string, cause?: unknown) =>
  new ForgeError('file.unreadable', `${name} cannot be read: ${why}`, {
    fix: 'Open it in a text application and save it again as .docx.',
    place: { file: name },
    cause,
  });

function unpack(name: string, bytes: Uint8Array): Members {
  const size = unpackedSize(bytes);
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b || size === undefined)
    throw unreadable(name, 'it is not a .docx file, or it is cut off.');
  if (size > limits.unpacked) {
    throw new ForgeError('file.unreadable', `${name} cannot be read: it unpacks to ${Math.round(size / MB)} MB.`, {
      fix: 'Give a smaller document, for example without its pictures.',
      place: { file: name },
    });
  }
  try {
    return unzipSync(bytes, {
      filter: (member) =>
        /^word\/.*\.(?:xml|rels)$/.test(member.name)
          ? member.originalSize <= limits.text
          : /^word\/media\//.test(member.name) && member.originalSize <= limits.picture,
    });
  } catch (cause) {
    throw unreadable(name, 'its archive is damaged.', cause);
  }
}

/**
 * Reads a .docx file: paragraphs with the names of their styles and the looks of their runs, tables, PNG pictures, the page, and
 * the header and footer of the last section. Comments, notes, text boxes and deleted text are left out.
 * @throws ForgeError `file.unreadable`
 */
export function readDocx(name: string, bytes: Uint8Array): ReadDocument {
  const members = unpack(name, bytes);
  const main = members['word/document.xml'];
  if (main === undefined) throw unreadable(name, 'it holds no text document.');
  try {
    return readParts(members, main);
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    throw unreadable(name, 'its content is damaged.', cause);
  }
}

function readParts(members: Members, main: Uint8Array): ReadDocument {
  const part = (path: string) => {
    const bytes = members[path];
    return bytes === undefined ? undefined : parseXml(bytes);
  };
  const body = child(parseXml(main), 'body');
  if (body === undefined) throw new Error('there is no body');
  const styles = readStyles(part('word/styles.xml'));
  const parts: Parts = { styles, listKind: listKinds(part('word/numbering.xml')) };
  const targets = relations(members, 'word/document.xml');
  const section = child(body, 'sectPr');
  const edge = (reference: string): Paragraph[] => {
    const found = (section === undefined ? [] : children(section)).find(
      (each) => each.localName === reference && (attribute(each, 'type') ?? 'default') === 'default',
    );
    const root = part(targets.get(attribute(found, 'id') ?? '') ?? '');
    const paragraphs = root === undefined ? [] : descendants(root, 'p').map((each) => readParagraph(each, parts));
    return paragraphs.some((each) => each.runs.length > 0) ? paragraphs : [];
  };
  const blocks = readBlocks(body, parts, members, targets);
  const [header, footer] = [edge('headerReference'), edge('footerReference')];
  const used = new Set(
    [...blocks, ...header, ...footer].flatMap((block) => (block.type === 'paragraph' ? [block.style] : [])),
  );
  const document: TextDocument = {
    page: readPage(section),
    styles: Object.fromEntries(
      [...new Set(['Normal', 'Title', 'Heading 1', 'Heading 2', 'Heading 3', ...used])].sort().flatMap((style) => {
        const look = styles.looks.get(style);
        return look === undefined ? [] : [[style, look]];
      }),
    ),
    header,
    footer,
    blocks: blocks.length > 0 ? blocks : [{ type: 'paragraph', style: 'Normal', runs: [] }],
  };
  return { document, images: descendants(body, 'drawing').length + descendants(body, 'pict').length };
}
