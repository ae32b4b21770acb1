import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** What stands in standard input, without the line's end; at a terminal, a line that is typed and not shown. */
export async function readSecret(input: NodeJS.ReadStream, prompt: NodeJS.WriteStream): Promise<string> {
  if (!input.isTTY) {
    const chunks: Buffer[] = [];
    for await (const chunk of input) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks)
      .toString('utf8')
      .replace(/\r?\n$/, '');
  }
  const silent = new Writable({ write: (_chunk, _encoding, next) => next() });
  const terminal = createInterface({ input, output: silent, terminal: true });
  prompt.write('Value: ');
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', resolve);
      terminal.once('SIGINT', () => reject(Object.assign(new Error('Interrupted.'), { name: 'AbortError' })));
    });
  } finally {
    terminal.close();
    prompt.write('\n');
  }
}
