import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';

const run = promisify(execFile);

/** Widths in pixels that are tried until a picture is small enough. */
const widths = [620, 540, 460, 380, 300];

/** The first page of a file as PNG of at most `mostBytes`, as LibreOffice lays it out and poppler draws it. */
export async function renderPage(name: string, bytes: Uint8Array, mostBytes: number): Promise<Uint8Array> {
  const office = new LibreOffice(process.env.FORGE_SOFFICE ?? 'soffice');
  const pdf = name.endsWith('.pdf') ? bytes : await office.convert(name, bytes, 'pdf', new AbortController().signal);
  const folder = await mkdtemp(join(tmpdir(), 'forge-page-'));
  try {
    await writeFile(join(folder, 'page.pdf'), pdf);
    for (const width of widths) {
      const scale = ['-scale-to-x', String(width), '-scale-to-y', '-1'];
      await run('pdftoppm', [
        '-png',
        '-f',
        '1',
        '-l',
        '1',
        '-singlefile',
        ...scale,
        join(folder, 'page.pdf'),
        join(folder, 'page'),
      ]);
      const png = await readFile(join(folder, 'page.png'));
      if (png.byteLength <= mostBytes) return new Uint8Array(png);
    }
    throw new Error(`The first page of ${name} is larger than ${mostBytes} bytes however small it is drawn.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
