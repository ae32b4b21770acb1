import { z } from 'zod';

export const MailPerson = z.string().regex(/^[^\p{Cc}"\\]{1,100}$/u, 'one line without quotes');
const Mailbox = z.strictObject({ name: MailPerson, address: z.email() });
export const MailMessage = z.strictObject({
  from: Mailbox,
  to: z.array(Mailbox).min(1).max(50),
  subject: z
    .string()
    .min(1)
    .max(2_000)
    .regex(/^[^\p{Cc}]*$/u, 'one line without control characters'),
  date: z.iso.datetime({ offset: true }).describe('When it was sent, such as 2025-03-14T09:00:00Z.'),
  text: z.string().min(1).max(100_000),
  read: z.boolean().default(false),
});
export type MailMessage = z.infer<typeof MailMessage>;

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const encoded = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !text.includes('=?')
    ? text
    : // An encoded word has at most 75 characters.
      [...text]
        .reduce<string[]>((parts, one) => {
          const last = parts.at(-1);
          if (last !== undefined && bytesOf(last + one).length <= 42) parts[parts.length - 1] = last + one;
          else parts.push(one);
          return parts;
        }, [])
        .map((part) => `=?UTF-8?B?${btoa(String.fromCharCode(...bytesOf(part)))}?=`)
        .join('\n ');

const mailbox = ({ name, address }: MailMessage['from']): string =>
  /^[\x20-\x7e]*$/.test(name) ? `"${name}" <${address}>` : `${encoded(name)} <${address}>`;

/** Messages in mbox format as Thunderbird writes it; equal messages give equal bytes. `folder` makes their ids unique. */
export function mboxOf(messages: readonly MailMessage[], folder: string): string {
  return messages
    .map(({ from, to, subject, date, text, read }, index) => {
      const sent = new Date(date);
      const day = `${days[sent.getUTCDay()]}`;
      const month = `${months[sent.getUTCMonth()]}`;
      const time = `${two(sent.getUTCHours())}:${two(sent.getUTCMinutes())}:${two(sent.getUTCSeconds())}`;
      const id = `${index + 1}.${sent.getTime()}.${folder.toLowerCase().replaceAll(' ', '-')}@${from.address.split('@').at(-1)}`;
      const body = text
        .replace(/\r\n?/g, '\n')
        .replace(/\n*$/, '')
        .replace(/^(>*From )/gm, '>$1');
      return [
        `From - ${day} ${month} ${two(sent.getUTCDate())} ${time} ${sent.getUTCFullYear()}`,
        `X-Mozilla-Status: ${read ? '0001' : '0000'}`,
        'X-Mozilla-Status2: 00000000',
        `Message-ID: <${id}>`,
        `Date: ${day}, ${two(sent.getUTCDate())} ${month} ${sent.getUTCFullYear()} ${time} +0000`,
        `From: ${mailbox(from)}`,
        `To: ${to.map(mailbox).join(',\n ')}`,
        `Subject: ${encoded(subject)}`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=UTF-8',
        'Content-Transfer-Encoding: 8bit',
        '',
        body,
        '',
        '',
      ].join('\n');
    })
    .join('');
}

/** Thunderbird's mark for messages that are deleted and not yet compacted away. */
const expunged = 0x0008;

/** One byte is one character, so that messages keep their own encodings. */
const fromBytes = (bytes: Uint8Array): string => {
  let text = '';
  for (let start = 0; start < bytes.length; start += 8_192)
    text += String.fromCharCode(...bytes.subarray(start, start + 8_192));
  return text;
};
const toBytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (one) => one.charCodeAt(0));

/** Messages of a file in mbox format, each as its bytes; deleted ones are left out. */
export function splitMbox(bytes: Uint8Array): Uint8Array<ArrayBuffer>[] {
  const text = fromBytes(bytes);
  const starts = [...text.matchAll(/^From .*\r?\n/gm)].filter(
    ({ index }) => index === 0 || /\r?\n\r?\n$/.test(text.slice(Math.max(0, index - 4), index)),
  );
  return starts.flatMap((start, at) => {
    const message = text
      .slice(start.index + start[0].length, starts[at + 1]?.index ?? text.length)
      .replace(/^>(>*From )/gm, '$1');
    const status = /^X-Mozilla-Status: ([0-9a-f]{4})\r?$/im.exec(message.split(/\r?\n\r?\n/, 1)[0] ?? '')?.[1];
    return status !== undefined && (Number.parseInt(status, 16) & expunged) !== 0 ? [] : [toBytes(message)];
  });
}
