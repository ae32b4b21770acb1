import type { Paragraph, Run } from '@cua-forge/spec/text-document';
import { alignmentOf, lookOf, type Styles, spacingOf } from './styles.ts';
import { attribute, child, children, type Element, flag, numeric } from './xml.ts';

/** What reading a paragraph needs to know of the rest of the file. */
export interface Parts {
  styles: Styles;
  /** Kind of an automatic list by numbering id and level. */
  listKind(numbering: string, level: number): 'number' | 'bullet' | undefined;
}

const sameLook = (a: Run, b: Run): boolean =>
  a.field === undefined &&
  b.field === undefined &&
  JSON.stringify({ ...a, text: '' }) === JSON.stringify({ ...b, text: '' });

/** Applications split runs at every save; those that look alike are put together again. */
export function merged(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const run of runs) {
    const last = result.at(-1);
    if (run.text === '' && run.field === undefined) continue;
    if (last !== undefined && sameLook(last, run)) result[result.length - 1] = { ...last, text: last.text + run.text };
    else result.push(run);
  }
  return result;
}

const fieldOf = (instruction: string): Run['field'] => {
  const name = /^\s*(\w+)/.exec(instruction)?.[1]?.toUpperCase();
  return name === 'PAGE' ? 'page' : name === 'NUMPAGES' ? 'pages' : undefined;
};

/** Collects runs; a field's cached result is left out where the field itself is kept. */
class RunReader {
  readonly runs: Run[] = [];
  #instruction: string | undefined;
  #inResult = false;
  #kept = false;

  read(element: Element): void {
    for (const each of children(element)) {
      switch (each.localName) {
        case 'r':
          this.#run(each);
          break;
        case 'fldSimple': {
          const field = fieldOf(attribute(each, 'instr') ?? '');
          if (field === undefined) this.read(each);
          else this.runs.push({ text: '', field });
          break;
        }
        case 'hyperlink':
        case 'ins':
        case 'smartTag':
        case 'sdt':
        case 'sdtContent':
          this.read(each);
      }
    }
  }

  #run(run: Element): void {
    const look = lookOf(child(run, 'rPr'));
    let text = '';
    for (const each of children(run)) {
      switch (each.localName) {
        case 't':
          if (!(this.#inResult && this.#kept)) text += each.textContent ?? '';
          break;
        case 'tab':
          text += '\t';
          break;
        case 'br':
        case 'cr':
          if (attribute(each, 'type') !== 'page') text += '\n';
          break;
        case 'noBreakHyphen':
          text += '‑';
          break;
        case 'fldChar':
          this.#fieldMark(attribute(each, 'fldCharType'), look);
          break;
        case 'instrText':
          if (this.#instruction !== undefined) this.#instruction += each.textContent ?? '';
      }
    }
    if (text !== '') this.runs.push({ text, ...look });
  }

  #fieldMark(type: string | undefined, look: Omit<Run, 'text' | 'field'>): void {
    if (type === 'begin') {
      this.#instruction = '';
      this.#kept = false;
      this.#inResult = false;
      return;
    }
    const field = fieldOf(this.#instruction ?? '');
    if (field !== undefined && !this.#kept) {
      this.runs.push({ text: '', field, ...look });
      this.#kept = true;
    }
    this.#inResult = type === 'separate';
    if (type === 'end') {
      this.#instruction = undefined;
      this.#kept = false;
    }
  }
}

export function readRuns(element: Element): Run[] {
  const reader = new RunReader();
  reader.read(element);
  return merged(reader.runs);
}

function listOf(properties: Element | undefined, parts: Parts): Paragraph['list'] {
  const numbering =
    child(properties, 'numPr') ?? parts.styles.numberingOf(attribute(child(properties, 'pStyle'), 'val'));
  const id = attribute(child(numbering, 'numId'), 'val');
  if (id === undefined || id === '0') return undefined;
  const level = Math.min(Math.max(Math.trunc(numeric(child(numbering, 'ilvl'), 'val') ?? 0), 0), 8);
  const kind = parts.listKind(id, level);
  return kind === undefined ? undefined : { kind, id, level };
}

/** Reads a `<w:p>`. */
export function readParagraph(element: Element, parts: Parts): Paragraph {
  const properties = child(element, 'pPr');
  const align = alignmentOf(properties);
  const list = listOf(properties, parts);
  const breaks = flag(child(properties, 'pageBreakBefore')) === true;
  return {
    type: 'paragraph',
    style: parts.styles.nameOf(attribute(child(properties, 'pStyle'), 'val')),
    runs: readRuns(element),
    ...(align === undefined ? {} : { align }),
    ...(list === undefined ? {} : { list }),
    ...spacingOf(properties),
    ...(breaks ? { pageBreakBefore: true } : {}),
  };
}
