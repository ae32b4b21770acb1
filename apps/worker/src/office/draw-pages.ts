import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ForgeError } from '@cua-forge/spec/errors';
import type { OfficePort } from '@cua-forge/spec/kind';
import { isPaged, mostPages, type PagePictures } from '@cua-forge/spec/page-pictures';
import type { ArtifactStore } from '@cua-forge/spec/store-port';
import type { FileValue } from '@cua-forge/spec/value';

const run = promisify(execFile);

/** Pixels across a page. */
const width = 1_100;
/** Milliseconds that one program may take for one file. */
const patienceMs = 120_000;
const isPdf = (name: string): boolean => /\.pdf$/i.test(name);

/** Runs one of poppler's programs; its process ends with the signal. */
async function poppler(program: string, args: readonly string[], name: string, signal: AbortSignal): Promise<string> {
  try {
    const environment = { PATH: process.env.PATH, LANG: 'C.UTF-8' };
    const { stdout } = await run(program, [...args], { signal, timeout: patienceMs, env: environment });
    return stdout;
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')
      throw new ForgeError('tool.missing', `The pages of '${name}' cannot be drawn: '${program}' is not installed.`, {
        fix: 'Install poppler (poppler-utils) where the worker runs.',
        cause,
      });
    throw new ForgeError('file.unreadable', `The pages of '${name}' cannot be drawn: it is no PDF that can be read.`, {
      fix: 'Download the file to look at it.',
      cause,
    });
  }
}

/** Width and height as a PNG says them. */
function sizeOf(png: Buffer): { width: number; height: number } {
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

/**
 * Draws the first pages of a file as PNG, as LibreOffice lays them out and poppler draws them, and stores each. All work is done by processes of their own in a
 * folder that is removed afterwards.
 * @throws ForgeError `file.unreadable`, `tool.missing`, `input.invalid` for a file without pages
 */
export async function drawPages(
  { office, artifacts }: { office: OfficePort; artifacts: ArtifactStore },
  { name, hash }: Pick<FileValue, 'name' | 'hash'>,
  signal: AbortSignal,
): Promise<PagePictures> {
  if (!isPaged(name))
    throw new ForgeError('input.invalid', `'${name}' is no file with pages.`, {
      fix: 'Pages are drawn of documents, slides, sheets and PDFs, by the ending of the name.',
    });
  const bytes = await artifacts.get(hash);
  const pdf = isPdf(name) ? bytes : await office.convert(name, bytes, 'pdf', signal);
  const folder = await mkdtemp(join(tmpdir(), 'forge-pages-'));
  try {
    const source = join(folder, 'source.pdf');
    await writeFile(source, pdf);
    const total = Number(/^Pages:\s+(\d+)/m.exec(await poppler('pdfinfo', [source], name, signal))?.[1] ?? 0);
    const scale = ['-scale-to-x', String(width), '-scale-to-y', '-1'];
    await poppler('pdftoppm', ['-png', '-l', String(mostPages), ...scale, source, join(folder, 'page')], name, signal);
    const pages: PagePictures['pages'] = [];
    // Their numbers have leading zeros, so that names are in the order of pages.
    for (const file of (await readdir(folder)).filter((each) => each.endsWith('.png')).sort()) {
      const png = await readFile(join(folder, file));
      pages.push({ ...(await artifacts.put(new Uint8Array(png))), ...sizeOf(png) });
    }
    return { pages, total: Math.max(total, pages.length) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
