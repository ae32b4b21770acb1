import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOfTar } from '@cua-forge/package-folder/package-files';
import { packFiles } from '@cua-forge/package-folder/package-folder';
import { mboxOf } from '@cua-forge/spec/mbox';
import { TaskManifest } from '@cua-forge/spec/task';
import { runOffice } from '@cua-forge/worker/office/run-office';

const namespaces = [
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"',
  'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"',
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"',
].join(' ');
const slide = (title: string) =>
  `<draw:page><draw:frame svg:x="2cm" svg:y="3cm" svg:width="20cm" svg:height="4cm"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame></draw:page>`;

/** Slides with these titles, as a .pptx that LibreOffice wrote. */
export async function slidesOf(titles: readonly string[]): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-slides-'));
  try {
    const flat = `<?xml version="1.0" encoding="UTF-8"?><office:document ${namespaces} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>${titles.map(slide).join('')}</office:presentation></office:body></office:document>`;
    await writeFile(join(folder, 'slides.fodp'), flat);
    const args = ['--convert-to', 'pptx', '--outdir', folder, join(folder, 'slides.fodp')];
    await runOffice(process.env.FORGE_SOFFICE ?? 'soffice', folder, args, new AbortController().signal);
    return await readFile(join(folder, 'slides.pptx'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const person = (name: string) => ({ name, address: `${name.toLowerCase()}@example.org` });

/** A folder of two messages, the second of which holds markup. */
export const mailFolder = (): Uint8Array =>
  Buffer.from(
    mboxOf(
      [
        {
          ...{ from: person('Ann'), to: [person('Ben')], subject: 'Größe der Räume', date: '2025-03-14T09:00:00Z' },
          ...{ text: 'From here on, see the plan.', read: true },
        },
        {
          ...{ from: person('Ben'), to: [person('Ann')], subject: 'Re: <b>rooms</b>', date: '2025-03-15T09:00:00Z' },
          ...{ text: '<script>window.broken = true</script>', read: false },
        },
      ],
      'Inbox',
    ),
  );

/** The archive of a package with other files in the place of its own, under another id. */
export async function withFiles(
  archive: Uint8Array,
  id: string,
  files: Readonly<Record<string, Uint8Array>>,
): Promise<Uint8Array<ArrayBuffer>> {
  const found = await filesOfTar(archive);
  const task = found.find(({ path }) => path === 'task.json');
  const manifest = TaskManifest.parse(JSON.parse(Buffer.from(task?.bytes ?? []).toString('utf8')));
  const added = Object.entries(files).map(([name, bytes]) => ({ path: `files/${name}`, bytes, executable: false }));
  const changed: TaskManifest = {
    ...{ ...manifest, id, outcome: { ...manifest.outcome, summary: 'Files of an office' } },
    files: added.map(({ path, bytes }) => ({
      ...{ path, sandboxPath: `/home/user/${path.slice(6)}`, preparer: 'place', mediaType: 'application/octet-stream' },
      ...{ hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.byteLength },
    })),
  };
  const kept = found.filter(({ path }) => path !== 'task.json' && !path.startsWith('files/'));
  const all = [
    { path: 'task.json', bytes: new Uint8Array(Buffer.from(JSON.stringify(changed))), executable: false },
    ...kept,
    ...added,
  ];
  return new Uint8Array(await packFiles(id, all));
}
