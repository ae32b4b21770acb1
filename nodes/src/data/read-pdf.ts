import { ForgeError } from '@cua-forge/spec/errors';
import { getDocumentProxy } from 'unpdf';
import { z } from 'zod';

/** A page as it reads: lines from top to bottom, parts of a line that stand apart are parted by a tab. Sizes in points. */
export const PdfPage = z.strictObject({ width: z.number(), height: z.number(), text: z.string() });
export type PdfPage = z.infer<typeof PdfPage>;

const limits = { pages: 500, characters: 5_000_000 };

/** What the library gives for a piece of text; marks of structure have no `str`. */
const Piece = z.looseObject({
  str: z.string(),
  transform: z.array(z.number()).length(6),
  width: z.number(),
  height: z.number(),
});
interface Placed {
  text: string;
  x: number;
  y: number;
  width: number;
  height: number;
}

function placed(item: unknown): Placed[] {
  const piece = Piece.safeParse(item);
  if (!piece.success || piece.data.str === '') return [];
  const { str, transform, width, height } = piece.data;
  return [{ text: str, x: transform[4] ?? 0, y: transform[5] ?? 0, width, height }];
}

/** Pieces whose base lines are close make a line. */
function linesOf(pieces: readonly Placed[]): string[] {
  const rows: { y: number; pieces: Placed[] }[] = [];
  for (const piece of pieces) {
    if (piece.text.trim() === '') continue;
    const near = rows.find((row) => Math.abs(row.y - piece.y) < Math.max(2, piece.height * 0.35));
    if (near === undefined) rows.push({ y: piece.y, pieces: [piece] });
    else near.pieces.push(piece);
  }
  return rows.sort((a, b) => b.y - a.y).map((row) => lineOf(row.pieces.sort((a, b) => a.x - b.x)));
}

function lineOf(pieces: readonly Placed[]): string {
  let line = '';
  let end = Number.NEGATIVE_INFINITY;
  for (const piece of pieces) {
    const gap = piece.x - end;
    if (line !== '') line += gap > Math.max(6, piece.height) ? '\t' : gap > piece.height * 0.12 ? ' ' : '';
    line += piece.text;
    end = piece.x + piece.width;
  }
  return line.replace(/ +/g, ' ').trim();
}

/**
 * Reads the text of a PDF, page by page; scanned pages have none.
 * @throws ForgeError `file.unreadable` for what is damaged, locked by a password, or too long
 */
export async function readPdf(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<PdfPage[]> {
  const unreadable = (why: string, fix: string, cause?: unknown) =>
    new ForgeError('file.unreadable', `${name} cannot be read: ${why}`, { fix, place: { file: name }, cause });
  if (!new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes('%PDF-'))
    throw unreadable('it is not a PDF.', 'Give a .pdf file.');
  let document: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    // The library takes the bytes for itself.
    document = await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (cause) {
    const locked = cause instanceof Error && cause.name === 'PasswordException';
    throw locked
      ? unreadable('it is locked by a password.', 'Save it without a password.', cause)
      : unreadable('it is damaged.', 'Open it in a viewer and print it to a new PDF.', cause);
  }
  try {
    if (document.numPages > limits.pages)
      throw unreadable(`it has ${document.numPages} pages, at most ${limits.pages} are read.`, 'Give fewer pages.');
    const pages: PdfPage[] = [];
    let characters = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      signal.throwIfAborted();
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const content = await page.getTextContent();
      const text = linesOf(content.items.flatMap(placed)).join('\n');
      characters += text.length;
      if (characters > limits.characters)
        throw unreadable('its text is longer than 5 million characters.', 'Give fewer pages.');
      pages.push({ width, height, text });
      page.cleanup();
    }
    return pages;
  } catch (cause) {
    if (cause instanceof ForgeError || signal.aborted) throw cause;
    throw unreadable('one of its pages is damaged.', 'Open it in a viewer and print it to a new PDF.', cause);
  } finally {
    await document.destroy();
  }
}
