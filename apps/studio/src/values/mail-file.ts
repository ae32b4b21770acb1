import { splitMbox } from '@cua-forge/spec/mbox';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { dateTime } from '../ui/format.ts';

export interface MailShown {
  subject: string;
  from: string;
  to: string;
  date: string;
  text: string;
  attachments: { name: string; type: string; size: number }[];
}

/** Messages of a file that are read at most. */
const MOST = 500;

const person = ({ name, address, group }: Address): string =>
  group === undefined
    ? [name, address === undefined || address === '' ? '' : `<${address}>`].filter((part) => part !== '').join(' ')
    : `${name}: ${group.map(person).join(', ')}`;
const people = (list: readonly Address[] | undefined): string => (list ?? []).map(person).join(', ');

/** Words of an HTML message. The page is parsed and never becomes part of this one, so nothing in it runs or is fetched. */
const wordsOf = (html: string): string =>
  new DOMParser()
    .parseFromString(html, 'text/html')
    .body.textContent?.replace(/\n{3,}/g, '\n\n')
    .trim() ?? '';

function shown({ subject, from, to, date, text, html, attachments }: Email): MailShown {
  return {
    subject: subject ?? '',
    from: people(from === undefined ? [] : [from]),
    to: people(to),
    date: date === undefined || Number.isNaN(Date.parse(date)) ? (date ?? '') : dateTime(Date.parse(date)),
    text: text ?? (html === undefined ? '' : wordsOf(html)),
    attachments: attachments.map(({ filename, mimeType, content }) => ({
      name: filename ?? 'without a name',
      type: mimeType,
      size: typeof content === 'string' ? content.length : content.byteLength,
    })),
  };
}

/** Messages of a mail file: one of an `.eml`, those of an `.mbox` that are not deleted. */
export async function readMailFile(name: string, bytes: Uint8Array): Promise<{ messages: MailShown[]; total: number }> {
  const sources = /\.mbox$/i.test(name) ? splitMbox(bytes) : [bytes];
  const messages = await Promise.all(
    sources.slice(0, MOST).map(async (source) => shown(await PostalMime.parse(source))),
  );
  return { messages, total: sources.length };
}
