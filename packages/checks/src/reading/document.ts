import type { Look } from '@cua-forge/spec/check-look';
import { ForgeError } from '@cua-forge/spec/errors';
import { readArchive, relationTarget } from './archive.ts';
import { DocumentStyles, type RunLook } from './document-styles.ts';
import { common, list, missing, type Scalar, type Seen, value } from './seen.ts';
import { attribute, child, children, descendants, type Element, flag, numeric, parseXml } from './xml.ts';

type Of<L extends Look['look']> = Extract<Look, { look: L }>;
type DocumentLook = Of<'document'> | Of<'paragraph'> | Of<'paragraphs'> | Of<'table'> | Of<'table-cell'>;

interface SeenRun extends RunLook {
  text: string;
}
interface SeenParagraph {
  element: Element;
  text: string;
  runs: SeenRun[];
}

const fieldName = (code: string): string | undefined => {
  const word = code.trim().split(/\s+/)[0]?.toUpperCase();
  return word === 'PAGE' ? '{page}' : word === 'NUMPAGES' ? '{pages}' : undefined;
};

function pieceText(piece: Element): string {
  switch (piece.localName) {
    case 't':
      return piece.textContent ?? '';
    case 'tab':
      return '\t';
    case 'br':
      return attribute(piece, 'type') === 'page' ? '' : '\n';
    case 'cr':
      return '\n';
    case 'noBreakHyphen':
      return '-';
    default:
      return '';
  }
}

/** A .docx that is open for looking. Deleted text of tracked changes is not there, inserted text is. */
export class OpenDocument {
  readonly #parts: Map<string, Uint8Array>;
  readonly #body: Element;
  readonly #styles: DocumentStyles;

  /** @throws ForgeError `file.unreadable` */
  constructor(name: string, bytes: Uint8Array) {
    this.#parts = readArchive(name, bytes, (member) => member.startsWith('word/'));
    const part = this.#part('word/document.xml');
    const body = child(part, 'body');
    if (body === undefined) throw new ForgeError('file.unreadable', `${name} is no text document.`);
    this.#body = body;
    this.#styles = new DocumentStyles(this.#part('word/styles.xml'), this.#part('word/numbering.xml'));
  }

  look(see: DocumentLook): Seen {
    if (see.look === 'document') return this.#document(see.of);
    if (see.look === 'table-cell') return this.#tableCell(see);
    if (see.look === 'table') return this.#table(see);
    const all = this.#paragraphs();
    if (see.look === 'paragraphs') {
      const pattern = new RegExp(see.where, 'u');
      return list(all.filter(({ text }) => pattern.test(text.trim())).map((each) => this.#aspect(each, see.of)));
    }
    const matching =
      typeof see.at === 'number'
        ? all.slice(see.at - 1, see.at)
        : all.filter(({ text }) => text.trim() === String(see.at).trim());
    const [paragraph] = matching;
    if (paragraph === undefined)
      return missing(
        typeof see.at === 'number' ? `there are ${all.length} paragraphs` : `no paragraph reads “${see.at}”`,
      );
    if (matching.length > 1) return missing(`${matching.length} paragraphs read “${see.at}”`);
    if (see.run === undefined) return value(this.#aspect(paragraph, see.of));
    const run = paragraph.runs[see.run - 1];
    if (run === undefined) return missing(`the paragraph has ${paragraph.runs.length} runs`);
    return value(this.#aspect({ ...paragraph, text: run.text, runs: [run] }, see.of));
  }

  #part(name: string): Element | undefined {
    const bytes = this.#parts.get(name);
    return bytes === undefined ? undefined : parseXml(bytes);
  }

  #paragraphs(): SeenParagraph[] {
    return flat(this.#body)
      .filter(({ localName }) => localName === 'p')
      .map((element) => this.#paragraph(element));
  }

  #paragraph(element: Element): SeenParagraph {
    const runs: SeenRun[] = [];
    let field: { code: string; showsResult: boolean } | undefined;
    const walk = (parent: Element): void => {
      for (const each of children(parent)) {
        if (each.localName === 'del' || each.localName === 'moveFrom') continue;
        if (each.localName === 'fldSimple') {
          const shown = fieldName(attribute(each, 'instr') ?? '');
          if (shown === undefined) walk(each);
          else runs.push({ ...this.#styles.runLook(child(each, 'r') ?? each, element), text: shown });
          continue;
        }
        if (each.localName !== 'r') {
          if (['hyperlink', 'ins', 'smartTag', 'sdt', 'sdtContent', 'moveTo'].includes(each.localName ?? ''))
            walk(each);
          continue;
        }
        let text = '';
        for (const piece of children(each)) {
          if (piece.localName === 'fldChar') {
            const type = attribute(piece, 'fldCharType');
            if (type === 'begin') field = { code: '', showsResult: true };
            else if (type === 'end') field = undefined;
            else if (field !== undefined) {
              const shown = fieldName(field.code);
              if (shown !== undefined) text += shown;
              field.showsResult = shown === undefined;
            }
          } else if (piece.localName === 'instrText' && field !== undefined) field.code += piece.textContent ?? '';
          else if (field === undefined || field.showsResult) text += pieceText(piece);
        }
        if (text !== '') runs.push({ ...this.#styles.runLook(each, element), text });
      }
    };
    walk(element);
    return { element, runs, text: runs.map(({ text }) => text).join('') };
  }

  #aspect({ element, text, runs }: SeenParagraph, of: Of<'paragraph'>['of']): Scalar {
    if (of === 'text') return text;
    if (
      of === 'bold' ||
      of === 'italic' ||
      of === 'underline' ||
      of === 'strike' ||
      of === 'size' ||
      of === 'color' ||
      of === 'font' ||
      of === 'highlight'
    )
      return common(runs.filter((run) => run.text.trim() !== '').map((run) => run[of]));
    const spacing = this.#styles.paragraphElement(element, 'spacing');
    switch (of) {
      case 'style':
        return this.#styles.nameOf(element);
      case 'align': {
        const found = attribute(this.#styles.paragraphElement(element, 'jc'), 'val') ?? 'left';
        return { both: 'justify', start: 'left', end: 'right' }[found] ?? found;
      }
      case 'list':
        return this.#styles.listOf(element);
      case 'before':
      case 'after':
        return (numeric(this.#styles.paragraphElement(element, 'spacing', of), of) ?? 0) / 20;
      case 'lines': {
        const own = this.#styles.paragraphElement(element, 'spacing', 'line') ?? spacing;
        const rule = attribute(own, 'lineRule') ?? 'auto';
        return rule === 'auto' ? (numeric(own, 'line') ?? 240) / 240 : `${(numeric(own, 'line') ?? 0) / 20} pt`;
      }
      case 'page-break': {
        const found = this.#styles.paragraphElement(element, 'pageBreakBefore');
        return found !== undefined && !['0', 'false'].includes(attribute(found, 'val') ?? 'true');
      }
    }
  }

  #table({ table, of }: Of<'table'>): Seen {
    const tables = flat(this.#body).filter(({ localName }) => localName === 'tbl');
    const found = tables[table - 1];
    if (found === undefined) return missing(`there are ${tables.length} tables`);
    const rows = children(found, 'tr');
    switch (of) {
      case 'rows':
        return value(rows.length);
      case 'columns':
        return value(Math.max(0, ...rows.map((row) => children(row, 'tc').length)));
      case 'header-rows': {
        const first = rows.findIndex((row) => flag(child(row, 'trPr', 'tblHeader')) !== true);
        return value(first === -1 ? rows.length : first);
      }
      case 'borders':
        return value(this.#hasBorders(found, rows));
      case 'texts':
        return list(
          rows.flatMap((row) =>
            children(row, 'tc').map((cell) =>
              flat(cell)
                .map((each) => this.#paragraph(each).text)
                .join('\n'),
            ),
          ),
        );
    }
  }

  /** Lines may be those of the table, of its style, or of its cells. */
  #hasBorders(table: Element, rows: readonly Element[]): boolean {
    const drawn = (borders: Element | undefined) =>
      children(borders).some((edge) => !['nil', 'none', undefined].includes(attribute(edge, 'val')));
    const properties = child(table, 'tblPr');
    const style = this.#styles.styleElement(attribute(child(properties, 'tblStyle'), 'val'));
    return (
      drawn(child(properties, 'tblBorders')) ||
      drawn(child(style, 'tblPr', 'tblBorders')) ||
      rows.some((row) => children(row, 'tc').some((cell) => drawn(child(cell, 'tcPr', 'tcBorders'))))
    );
  }

  #tableCell({ table, row, column, of }: Of<'table-cell'>): Seen {
    const tables = flat(this.#body).filter(({ localName }) => localName === 'tbl');
    const found = children(children(tables[table - 1], 'tr')[row - 1], 'tc')[column - 1];
    if (found === undefined) return missing(`there are ${tables.length} tables, and no such cell`);
    const paragraphs = flat(found)
      .filter(({ localName }) => localName === 'p')
      .map((each) => this.#paragraph(each));
    if (of === 'text') return value(paragraphs.map(({ text }) => text).join('\n'));
    return value(common(paragraphs.filter(({ text }) => text !== '').map((each) => this.#aspect(each, of))));
  }

  #document(of: Of<'document'>['of']): Seen {
    const section = child(this.#body, 'sectPr');
    switch (of) {
      case 'text': {
        const blocks = flat(this.#body).map((each) =>
          each.localName === 'tbl'
            ? children(each, 'tr')
                .map((row) =>
                  children(row, 'tc')
                    .map((cell) =>
                      flat(cell)
                        .map((one) => this.#paragraph(one).text)
                        .join(' '),
                    )
                    .join('\t'),
                )
                .join('\n')
            : this.#paragraph(each).text,
        );
        return value(blocks.join('\n'));
      }
      case 'paragraphs':
        return list(this.#paragraphs().map(({ text }) => text));
      case 'styles':
        return list(this.#paragraphs().map(({ element }) => this.#styles.nameOf(element)));
      case 'tables':
        return value(flat(this.#body).filter(({ localName }) => localName === 'tbl').length);
      case 'images':
        return value(descendants(this.#body, 'blip').length);
      case 'header':
      case 'footer':
        return value(this.#edge(section, of));
      case 'header-align':
      case 'footer-align': {
        const shown = this.#edgeParagraphs(section, of === 'header-align' ? 'header' : 'footer').filter(
          ({ text }) => text.trim() !== '',
        );
        return value(common(shown.map((each) => this.#aspect(each, 'align'))));
      }
      case 'width':
      case 'height': {
        const size = numeric(child(section, 'pgSz'), of === 'width' ? 'w' : 'h');
        return value(size === undefined ? null : size / 20);
      }
      default: {
        const margin = numeric(child(section, 'pgMar'), of);
        return value(margin === undefined ? null : margin / 20);
      }
    }
  }

  /** Text at the head or foot of the last section's pages; null where there is none. */
  #edge(section: Element | undefined, which: 'header' | 'footer'): Scalar {
    const text = this.#edgeParagraphs(section, which)
      .map((each) => each.text)
      .join('\n')
      .trim();
    return text === '' ? null : text;
  }

  #edgeParagraphs(section: Element | undefined, which: 'header' | 'footer'): SeenParagraph[] {
    const references = children(section, `${which}Reference`);
    const reference =
      references.find((each) => (attribute(each, 'w:type') ?? 'default') === 'default') ?? references[0];
    const id = attribute(reference, 'r:id');
    const relation = children(this.#part('word/_rels/document.xml.rels')).find((each) => attribute(each, 'Id') === id);
    const target = attribute(relation, 'Target');
    if (id === undefined || target === undefined) return [];
    return flat(this.#part(relationTarget('word/document.xml', target))).map((each) => this.#paragraph(each));
  }
}

/** Paragraphs and tables of a part in order, also those within content controls. */
function flat(parent: Element | undefined): Element[] {
  return children(parent).flatMap((each) => {
    if (each.localName === 'p' || each.localName === 'tbl') return [each];
    return each.localName === 'sdt' ? flat(child(each, 'sdtContent')) : [];
  });
}
