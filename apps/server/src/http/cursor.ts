import { ForgeError } from '@cua-forge/spec/errors';

/** Where a page of records ordered by time ended. */
export interface TimeMark {
  createdAt: number;
  id: string;
}

export const cursorOf = ({ createdAt, id }: TimeMark): string =>
  Buffer.from(`${createdAt}:${id}`).toString('base64url');

/** @throws ForgeError `input.invalid` */
export function readCursor(text: string): TimeMark {
  const match = /^(\d{1,15}):(.+)$/.exec(Buffer.from(text, 'base64url').toString('utf8'));
  if (match?.[1] === undefined || match[2] === undefined) {
    throw new ForgeError(
      'input.invalid',
      'The query of the request is not right. cursor: not a cursor of this server.',
      {
        fix: 'Take it from "next" of the page before.',
      },
    );
  }
  return { createdAt: Number(match[1]), id: match[2] };
}

/** Cursor of the next page; null when the page was not full. */
export function nextCursor(page: readonly TimeMark[], size: number): string | null {
  const last = page.at(-1);
  return last !== undefined && page.length === size ? cursorOf(last) : null;
}
