import { ForgeError } from '@cua-forge/spec/errors';
import type { TimeMark } from '@cua-forge/spec/store-port';
import { z } from 'zod';

export const cursorOf = ({ createdAt, id }: TimeMark): string =>
  Buffer.from(`${createdAt}:${id}`).toString('base64url');

const notACursor = () =>
  new ForgeError('input.invalid', 'The query of the request is not right. cursor: not a cursor of this server.', {
    fix: 'Take it from "next" of the page before.',
  });

/** @throws ForgeError `input.invalid` */
export function readCursor(text: string): TimeMark {
  const match = /^(\d{1,15}):(.+)$/.exec(Buffer.from(text, 'base64url').toString('utf8'));
  if (match?.[1] === undefined || match[2] === undefined) {
    throw notACursor();
  }
  return { createdAt: Number(match[1]), id: match[2] };
}

/** Cursor of the next page; null when the page was not full. */
export function nextCursor(page: readonly TimeMark[], size: number): string | null {
  const last = page.at(-1);
  return last !== undefined && page.length === size ? cursorOf(last) : null;
}

const TitleMark = z.tuple([z.string(), z.string()]);

export const titleCursorOf = ({ title, id }: { title: string; id: string }): string =>
  Buffer.from(JSON.stringify([title, id])).toString('base64url');

/** @throws ForgeError `input.invalid` */
export function readTitleCursor(text: string): { title: string; id: string } {
  try {
    const [title, id] = TitleMark.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return { title, id };
  } catch {
    throw notACursor();
  }
}
