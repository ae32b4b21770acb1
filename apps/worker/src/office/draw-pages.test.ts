import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@cua-forge/spec/store-port';
import { openStore } from '@cua-forge/store/open-store';
import { storeSettings } from '@cua-forge/store/store-settings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawPages } from './draw-pages.ts';
import { LibreOffice } from './libre-office.ts';
import { runOffice } from './run-office.ts';

const there = (program: string): boolean => {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const office = new LibreOffice(process.env.FORGE_SOFFICE ?? 'soffice');
const hasOffice = (await office.version()) !== null;
/** Debian has the part of LibreOffice that reads slides in a package of its own. */
const hasImpress = hasOffice && existsSync('/usr/lib/libreoffice/program/libsdlo.so');
const signal = new AbortController().signal;

/** Flat slides: a title on each. */
const slides = (titles: readonly string[]) => `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>
${titles
  .map(
    (title) =>
      `<draw:page><draw:frame svg:x="2cm" svg:y="2cm" svg:width="18cm" svg:height="3cm"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame></draw:page>`,
  )
  .join('')}</office:presentation></office:body></office:document>`;

describe.skipIf(!there('pdftoppm'))('pictures of pages', () => {
  let folder: string;
  let store: Store;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forge-draw-'));
    store = await openStore(storeSettings({}, join(folder, 'store')));
  });
  afterAll(async () => {
    await store.meta.close();
    await rm(folder, { recursive: true, force: true });
  });
  const draw = async (name: string, bytes: Uint8Array) =>
    drawPages({ office, artifacts: store.artifacts }, { name, ...(await store.artifacts.put(bytes)) }, signal);

  it.skipIf(!hasImpress)('are drawn of slides, one for each, and the same again', async () => {
    await writeFile(join(folder, 'slides.fodp'), slides(['One', 'Two', 'Three']));
    const args = ['--convert-to', 'pptx', '--outdir', folder, join(folder, 'slides.fodp')];
    await runOffice(process.env.FORGE_SOFFICE ?? 'soffice', folder, args, signal);
    const { pages, total } = await draw('Übersicht.pptx', await readFile(join(folder, 'slides.pptx')));
    expect(total).toBe(3);
    expect(pages.map(({ width }) => width)).toEqual([1_100, 1_100, 1_100]);
    expect(new Set(pages.map(({ hash }) => hash)).size).toBe(3);
    const png = Buffer.from(await store.artifacts.get(pages[0]?.hash ?? ''));
    expect(png.subarray(1, 4).toString('latin1')).toBe('PNG');
  });

  it('are none of what is no file with pages, or not what its name says', async () => {
    await expect(draw('notes.txt', Buffer.from('x'))).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(draw('broken.pdf', Buffer.from('no PDF'))).rejects.toMatchObject({ code: 'file.unreadable' });
  });

  it.skipIf(!hasOffice)('fetch nothing that a document links to', async () => {
    const asked: string[] = [];
    const { createServer } = await import('node:http');
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const linked = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:p>Words<draw:frame svg:width="3cm" svg:height="3cm" text:anchor-type="as-char"><draw:image xlink:href="http://127.0.0.1:${port}/secret.png" xlink:type="simple"/></draw:frame></text:p></office:text></office:body></office:document>`;
    try {
      const odt = await office.convert('linked.fodt', Buffer.from(linked), 'odt', signal);
      expect((await draw('linked.odt', odt)).total).toBe(1);
      expect(asked).toEqual([]);
    } finally {
      server.close();
    }
  });
});
