import type { Look } from '@cua-forge/spec/check-look';
import type { Json } from '@cua-forge/spec/json';
import { Json as AnyJson } from '@cua-forge/spec/json';
import Papa from 'papaparse';
import { getDocumentProxy } from 'unpdf';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { list, missing, type Scalar, type Seen, value } from './seen.ts';

type Of<L extends Look['look']> = Extract<Look, { look: L }>;

export const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8').decode(bytes).replace(/^\uFEFF/, '');

/** Numbers and the like of a list or an object are compared as they are; an object is seen as its JSON text. */
const asScalar = (json: Json | undefined): Scalar =>
  json === undefined ? null : typeof json === 'object' && json !== null ? JSON.stringify(json) : json;

/** Settings files of code editors are JSON with comments and trailing commas, which YAML nearly reads; so they are taken out first. */
function withoutComments(text: string): string {
  return text
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, '$1');
}

export function lookAtJson(see: Of<'json'>, bytes: Uint8Array): Seen {
  let at: Json | undefined;
  try {
    const text = decode(bytes);
    at = AnyJson.parse(see.format === 'yaml' ? parseYaml(text) : JSON.parse(withoutComments(text)));
  } catch {
    return missing(`${see.path} is no ${see.format === 'yaml' ? 'YAML' : 'JSON'}`);
  }
  for (const step of see.at) {
    if (Array.isArray(at)) at = typeof step === 'number' ? at[step] : undefined;
    else if (typeof at === 'object' && at !== null) at = Object.hasOwn(at, String(step)) ? at[String(step)] : undefined;
    else at = undefined;
  }
  return Array.isArray(at) ? list(at.map(asScalar)) : value(asScalar(at));
}

export function lookAtCsv(see: Of<'csv'> | Of<'csv-cell'>, bytes: Uint8Array): Seen {
  const parsed = Papa.parse(decode(bytes).replace(/\r?\n$/, ''), { skipEmptyLines: 'greedy' });
  const rows = z.array(z.array(z.string())).parse(parsed.data);
  const [header = [], ...body] = rows;
  if (see.look === 'csv') {
    if (see.of === 'count') return value(body.length);
    return list(
      see.of === 'header'
        ? header.map(csvScalar)
        : body.flatMap((row) => header.map((_, index) => csvScalar(row[index] ?? ''))),
    );
  }
  const column = typeof see.column === 'number' ? see.column - 1 : header.indexOf(see.column);
  if (column < 0 || column >= header.length) return missing(`the columns are ${header.join(', ')}`);
  const row = body[see.row - 1];
  return row === undefined
    ? missing(`there are ${body.length} rows below the header`)
    : value(csvScalar(row[column] ?? ''));
}

/** Fields that are plain numbers count as numbers. */
function csvScalar(text: string): Scalar {
  if (text === '') return null;
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

const unquote = (text: string): string => (/^"(.*)"$/s.exec(text)?.[1] ?? text).replace(/\\(["\\])/g, '$1');

function typed(text: string): Scalar {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d+)?$/.test(text) ? Number(text) : unquote(text);
}

/** A setting's value; null where the file does not have it. */
export function lookAtSetting({ format, key }: Of<'setting'>, bytes: Uint8Array): Seen {
  const lines = decode(bytes).split(/\r?\n/);
  if (format === 'prefs') {
    for (const line of lines) {
      const match = /^\s*user_pref\("((?:[^"\\]|\\.)*)",\s*(.*)\);\s*$/.exec(line);
      if (match?.[1] === key && match[2] !== undefined) return value(typed(match[2]));
    }
    return value(null);
  }
  if (format === 'lisp') {
    for (const line of lines) {
      const match = /^\s*\((\S+)\s+(.*?)\)\s*$/.exec(line);
      if (match?.[1] === key && match[2] !== undefined) return value(typed(match[2]));
    }
    return value(null);
  }
  let section = '';
  let found: Scalar = null;
  for (const line of lines) {
    const head = /^\s*\[(.+)\]/.exec(line)?.[1];
    if (head !== undefined) section = head;
    const match = /^\s*([^=#;[\s][^=]*?)\s*=\s*(.*?)\s*$/.exec(line);
    if (match?.[1] !== undefined && (match[1] === key || `${section}.${match[1]}` === key))
      found = typed(match[2] ?? '');
  }
  return value(found);
}

const Piece = z.looseObject({ str: z.string(), hasEOL: z.boolean().optional() });

/** Text or number of pages of a PDF; a scanned page has no text. */
export async function lookAtPdf(see: Of<'pdf'>, bytes: Uint8Array): Promise<Seen> {
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    pdf = await getDocumentProxy(new Uint8Array(bytes));
  } catch {
    return missing(`${see.path} is no PDF that can be read`);
  }
  try {
    if (see.of === 'pages') return value(pdf.numPages);
    if (see.page !== undefined && see.page > pdf.numPages) return missing(`there are ${pdf.numPages} pages`);
    const [first, last] = see.page === undefined ? [1, pdf.numPages] : [see.page, see.page];
    const pages: string[] = [];
    for (let number = first; number <= last; number += 1) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      pages.push(
        items
          .map((item) => Piece.safeParse(item).data)
          .map((piece) => (piece === undefined ? '' : `${piece.str}${piece.hasEOL === true ? '\n' : ''}`))
          .join(''),
      );
    }
    return value(pages.join('\n').trim());
  } finally {
    await pdf.destroy();
  }
}
