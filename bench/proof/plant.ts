import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { writeDocx } from '@cua-forge/preparers/write-docx';
import { writeXlsx } from '@cua-forge/preparers/write-xlsx';
import { fileOf, type TaskDraft } from '@cua-forge/proof/testing/sample-task';
import { type Check, type CheckLeaf, isLeaf } from '@cua-forge/spec/check';
import ExcelJS from 'exceljs';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** Rewrites the leaves of a check; null takes one out. */
export function mapLeaves(check: Check, change: (leaf: CheckLeaf) => Check | null): Check | null {
  if (isLeaf(check)) return change(check);
  if ('not' in check) {
    const inner = mapLeaves(check.not, change);
    return inner === null ? null : { not: inner };
  }
  const parts = ('all' in check ? check.all : check.any).flatMap((one) => mapLeaves(one, change) ?? []);
  if (parts.length === 0) return null;
  return 'all' in check ? { all: parts } : { any: parts };
}

/** Changes the checks of a draft; whether any is another one now. */
export function changeChecks(draft: TaskDraft, change: (leaf: CheckLeaf, id: string) => Check | null): boolean {
  const before = JSON.stringify(draft.checks);
  draft.checks = draft.checks.flatMap(({ id, check }) => {
    const changed = mapLeaves(check, (leaf) => change(leaf, id));
    return changed === null ? [] : [{ id, check: changed }];
  });
  return JSON.stringify(draft.checks) !== before;
}

/** Puts another file into the sandbox by the setup. */
export function placeFile(draft: TaskDraft, path: string, bytes: Uint8Array, mode = '0644'): void {
  const name = path.slice(path.lastIndexOf('/') + 1);
  draft.files.set(path, bytes);
  const operation = { op: 'place-file' as const, file: fileOf(name, bytes, 'application/octet-stream'), path, mode };
  const at = draft.operations.findIndex(({ op }) => op === 'place-file');
  draft.operations.splice(Math.max(at, 0), 0, operation);
}

/** Gives a placed file other bytes. */
export function replaceFile(draft: TaskDraft, path: string, bytes: Uint8Array): void {
  draft.files.set(path, bytes);
  draft.operations = draft.operations.map((one) =>
    one.op === 'place-file' && one.path === path
      ? { ...one, file: { ...fileOf(one.file.name, bytes), mediaType: one.file.mediaType } }
      : one,
  );
}

/** The finished file of a draft, as the preparer would write it; null where the draft does not say what it is. */
export async function finishedFile(draft: TaskDraft): Promise<{ path: string; bytes: Uint8Array } | null> {
  for (const file of draft.hidden.expected) {
    if (file.type === 'xlsx') return { path: file.path, bytes: await writeXlsx(file.content) };
    if (file.type === 'docx') return { path: file.path, bytes: await writeDocx(file.content) };
  }
  return null;
}

/** A value that nobody guesses: one of the answers, as text. */
export function tellingAnswer({ hidden }: TaskDraft): string | null {
  const telling = hidden.answers.find(({ value }) =>
    typeof value === 'number' ? !Number.isInteger(value) && Math.abs(value) >= 1_000 : value.length >= 12,
  );
  return telling === undefined ? null : String(telling.value);
}

export const mainInput = (draft: TaskDraft): string => [...draft.files.keys()][0] ?? '';

/** The file under the object that git keeps of it. */
export function gitObject(bytes: Uint8Array): { path: string; bytes: Uint8Array } {
  const object = Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes]);
  const hash = createHash('sha1').update(object).digest('hex');
  return { path: `.git/objects/${hash.slice(0, 2)}/${hash.slice(2)}`, bytes: new Uint8Array(deflateSync(object)) };
}

/** Rewrites a member of an Office file. */
export function withMember(bytes: Uint8Array, name: string, change: (text: string) => string): Uint8Array | null {
  const members = unzipSync(bytes);
  const member = members[name];
  if (member === undefined) return null;
  members[name] = strToU8(change(strFromU8(member)));
  return zipSync(members);
}

export const zipOf = (name: string, bytes: Uint8Array): Uint8Array => zipSync({ [name]: bytes });

/** Changes a workbook cell by cell; null for what is no workbook. */
export async function withWorkbook(
  bytes: Uint8Array,
  change: (book: ExcelJS.Workbook) => void,
): Promise<Uint8Array | null> {
  const book = new ExcelJS.Workbook();
  try {
    await book.xlsx.load(Uint8Array.from(bytes).buffer);
  } catch {
    return null;
  }
  // The library reads any archive, a text document as a workbook without sheets.
  if (book.worksheets.length === 0) return null;
  change(book);
  return new Uint8Array(await book.xlsx.writeBuffer());
}

/** A formula of the finished workbook that is not in the prepared one. */
export function formulaOf(draft: TaskDraft): { path: string; sheet: string; address: string; formula: string } | null {
  for (const { check } of draft.checks) {
    let found: { path: string; sheet: string; address: string; formula: string } | null = null;
    const visit = (one: Check): void => {
      if ('see' in one) {
        const { see } = one;
        if (see.look === 'cell' && see.of === 'formula' && typeof see.sheet === 'string')
          found ??= {
            path: see.path,
            sheet: see.sheet,
            address: see.cell,
            formula: expectedFormula(draft, see.path, see.sheet, see.cell),
          };
      } else if ('not' in one) visit(one.not);
      else for (const part of 'all' in one ? one.all : one.any) visit(part);
    };
    visit(check);
    if (found !== null) return found;
  }
  return null;
}

function expectedFormula(draft: TaskDraft, path: string, sheet: string, address: string): string {
  const file = draft.hidden.expected.find((one) => one.path === path);
  if (file?.type !== 'xlsx') return 'SUM(B2:B4)';
  const target = file.content.sheets.find(({ name }) => name === sheet);
  const cells = [
    ...Object.entries(target?.notes ?? {})
      .filter(([at]) => at === address)
      .map(([, cell]) => cell),
    ...(target?.rows.flat() ?? []),
  ];
  const formula = cells.find((cell) => typeof cell === 'object' && cell !== null);
  return typeof formula === 'object' && formula !== null ? formula.formula : '0';
}
