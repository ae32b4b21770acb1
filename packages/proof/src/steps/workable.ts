import type { ProofLine } from '@cua-forge/spec/proof';
import type { KeptFiles } from '../desk/home-files.ts';
import { protectionsOf } from '../files/office-names.ts';
import type { Desk } from '../ground.ts';
import { line } from '../lines.ts';
import type { Subject } from '../subject.ts';
import { nameOf } from '../targets.ts';

/** Titles of what applications show instead of the document that they were to open. */
const inTheWay =
  /document in use|recovery|password|repair|corrupt|text import|file is locked|not responding|general error|\berror\b|\bwarning\b/i;

/** What the user has to be able to do before the work: see the document and nothing in front of it, edit it, and write the files that the work changes. */
export async function workableLines(
  { manifest, operations, instruction }: Subject,
  { sandbox }: Desk,
  kept: KeptFiles,
  targets: readonly string[],
  signal: AbortSignal,
): Promise<ProofLine[]> {
  const inputs = manifest.files.map(({ sandboxPath }) => sandboxPath);
  const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/')) || '/';
  const unwritable: string[] = [];
  const locked: string[] = [];
  for (const path of targets) {
    const asked = inputs.includes(path)
      ? 'test -w "$1" && test -O "$1" && test -w "$2"'
      : 'test ! -e "$2" || test -w "$2"';
    const { exitCode } = await sandbox.exec(['bash', '-c', asked, 'workable', path, folderOf(path)], { signal });
    if (exitCode !== 0) unwritable.push(`${path} cannot be written by the user`);
    // What the setup opens is locked by its application, and by nobody else: it would say so in a window.
    const opened = operations.some((one) => one.op === 'open' && one.path === path);
    const lock = `${folderOf(path)}/.~lock.${nameOf(path)}#`;
    if (!opened && (await sandbox.exec(['test', '-e', lock], { signal })).exitCode === 0)
      locked.push(`${lock} says that somebody else has the file open`);
  }
  const names = manifest.files.map(({ sandboxPath }) => nameOf(sandboxPath));
  const titles = (await sandbox.windows()).map(({ title }) => title);
  const protectedFiles = targets.flatMap((path) => {
    const bytes = kept.bytes.get(path);
    if (bytes === undefined || /protect|read.only/i.test(instruction)) return [];
    return protectionsOf(bytes).map((what) => `${nameOf(path)}: ${what}`);
  });
  return [
    line('the user may change what the work changes', [...unwritable, ...locked], `${targets.length} files`),
    line('the files that the work changes may be edited', protectedFiles, `${targets.length} files`),
    line(
      'nothing stands in front of the documents',
      titles
        .filter((title) => inTheWay.test(title) && !names.some((name) => title.includes(name)))
        .map((title) => `a window says “${title}”`),
      `${titles.length} windows`,
    ),
  ];
}
