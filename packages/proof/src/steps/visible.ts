import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { lookAtPdf } from '@cua-forge/checks/reading/texts';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import type { ProofLine } from '@cua-forge/spec/proof';
import type { StateReader } from '@cua-forge/spec/state-reader';
import type { KeptFiles } from '../desk/home-files.ts';
import { gitBlobs } from '../files/git-objects.ts';
import { allTexts, hiddenTexts, membersOf } from '../files/hidden-texts.ts';
import type { Judge } from '../judge.ts';
import { withFiles } from '../judge.ts';
import { line } from '../lines.ts';
import type { Subject } from '../subject.ts';
import { endingOf, nameOf } from '../targets.ts';

interface Found {
  where: string;
  bytes: Uint8Array;
}

const MOST_FOUND = 2_000;
const MOST_CANDIDATES = 12;
const MOST_TEXT = 2 * 1024 * 1024;

/** Office files are zips as well, but what is in them is looked at as a whole. */
const isOffice = (path: string): boolean => /\.(?:xlsx|xlsm|ods|docx|odt|pptx|odp)$/i.test(path);

/** A file, and what is packed into it: versions that git keeps, members of archives. */
function unfolded({ where, bytes }: Found, depth = 0): Found[] {
  const blobs = gitBlobs(where, bytes).map((one) => ({ where: `${where} (git)`, bytes: one }));
  if (blobs.length > 0) return blobs;
  if (depth < 3 && !isOffice(where)) {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
      const inner = unzipped(bytes);
      if (inner !== null) return unfolded({ where: where.replace(/\.t?gz$/i, ''), bytes: inner }, depth + 1);
    }
    const members = [...membersOf(bytes)];
    if (members.length > 0)
      return [
        { where, bytes },
        ...members.flatMap(([name, inner]) => unfolded({ where: `${where}/${name}`, bytes: inner }, depth + 1)),
      ];
    const entries = tarEntries(bytes);
    if (entries.length > 0)
      return entries.flatMap(({ name, content }) => unfolded({ where: `${where}/${name}`, bytes: content }, depth + 1));
  }
  return [{ where, bytes }];
}

function unzipped(bytes: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: 100 * 1024 * 1024 });
  } catch {
    return null;
  }
}

/** Plain files of a tar; empty for what is none. */
function tarEntries(bytes: Uint8Array): { name: string; content: Uint8Array }[] {
  const text = (at: number, length: number) =>
    Buffer.from(bytes.subarray(at, at + length))
      .toString('latin1')
      .replace(/\0.*$/s, '');
  if (text(257, 5) !== 'ustar') return [];
  const entries: { name: string; content: Uint8Array }[] = [];
  for (let at = 0; at + 512 <= bytes.length && entries.length < MOST_FOUND; ) {
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    if (text(at, 100) === '' || !Number.isFinite(size)) break;
    if (['0', ''].includes(text(at + 156, 1)))
      entries.push({ name: text(at, 100), content: bytes.subarray(at + 512, at + 512 + size) });
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return entries;
}

const isText = (bytes: Uint8Array): boolean => !bytes.subarray(0, 4_096).includes(0);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Answers that programs do not write into files of their own by chance: sizes of windows and moments are numbers, too. */
const telling = <T extends { value: string | number }>(answers: readonly T[]): T[] =>
  answers.filter(({ value }) =>
    typeof value === 'number' ? String(value).replace(/\D/g, '').length >= 5 : value.length >= 12,
  );

/** What an extra file says to people who open it: texts as they are, Office files and PDFs as they are shown. */
async function saidBy({ where, bytes }: Found): Promise<string> {
  if (isOffice(where)) return allTexts(bytes);
  if (Buffer.from(bytes.subarray(0, 5)).toString('latin1') === '%PDF-') {
    const seen = await lookAtPdf({ look: 'pdf', path: where, of: 'text' }, bytes);
    return seen.kind === 'value' ? String(seen.value ?? '') : '';
  }
  return isText(bytes) ? new TextDecoder().decode(bytes.subarray(0, MOST_TEXT)) : '';
}

/** Files that the task may mean as well as the one that it is about: of the same name in another folder, or the very same under another name. */
function mistakable(subject: Subject, { files }: KeptFiles, targets: readonly string[]): string[] {
  const told = subject.instruction.toLowerCase();
  const folderOf = (path: string) => nameOf(path.slice(0, path.lastIndexOf('/')));
  return targets.flatMap((target) => {
    const own = files.get(target);
    if (own === undefined) return [];
    const [name, folder] = [nameOf(target).toLowerCase(), folderOf(target).toLowerCase()];
    return [...files.values()].flatMap((other) => {
      if (other.path === target || other.link) return [];
      if (nameOf(other.path).toLowerCase() === name && !told.includes(folder))
        return [`there are ${target} and ${other.path}, and the instruction does not say which`];
      return other.sha256 === own.sha256 && other.sha256 !== '' && !told.includes(name)
        ? [`${other.path} is the same as ${target}, and the instruction names neither`]
        : [];
    });
  });
}

/**
 * Looks through all that the setup has left in the sandbox for answers, hidden files and finished work. `crannies` are files where programs keep what is
 * their own business, which nobody works on.
 */
export async function visibleStep(
  subject: Subject,
  kept: KeptFiles,
  crannies: ReadonlyMap<string, Uint8Array>,
  state: StateReader,
  targets: readonly string[],
  judge: Judge,
): Promise<ProofLine[]> {
  const { hidden, manifest } = subject;
  const answers = hidden?.answers ?? [];
  const hiddenHashes = new Set(
    [...subject.files].flatMap(([path, bytes]) =>
      path.startsWith('hidden/') && bytes.length > 32 ? [sha256(bytes)] : [],
    ),
  );
  const prepared = new Map(manifest.files.map(({ sandboxPath, hash }) => [sandboxPath, hash]));
  const own = [...kept.bytes].map(([where, bytes]): Found => ({ where, bytes }));
  const aside = [...crannies].map(([where, bytes]): Found => ({ where, bytes }));
  // What the task is given may hold what an answer is made of; what nobody speaks of may not.
  const isGiven = (where: string): boolean =>
    kept.files.get(where)?.sha256 === prepared.get(where) &&
    (targets.includes(where) || subject.instruction.toLowerCase().includes(nameOf(where).toLowerCase()));
  // A copy of what is given says nothing new: programs keep some of what they have open.
  const givenHashes = new Set([...prepared].flatMap(([where, hash]) => (isGiven(where) ? [hash] : [])));
  const extra = [...own.filter(({ where }) => !isGiven(where)), ...aside].filter(
    ({ bytes }) => !givenHashes.has(sha256(bytes)),
  );
  const found = extra.flatMap((one) => unfolded(one)).slice(0, MOST_FOUND);
  const hiddenFiles = found.filter(({ bytes }) => hiddenHashes.has(sha256(bytes)));
  const leaks: string[] = [];
  for (const one of found) {
    const wanted = crannies.has(one.where) ? telling(answers) : answers;
    leaks.push(...findAnswerLeaks(await saidBy(one), wanted).map(({ label }) => `“${label}” is in ${one.where}`));
  }
  const insides = [...own, ...found.filter(({ where }) => isOffice(where))].flatMap(({ where, bytes }) =>
    hiddenTexts(bytes).flatMap(({ where: part, text }) =>
      findAnswerLeaks(text, answers).map(({ label }) => `“${label}” is in ${part} of ${nameOf(where)}`),
    ),
  );
  return [
    line(
      'no hidden file lies in the sandbox',
      hiddenFiles.map(({ where }) => `${where} is one`),
      `${found.length} other files looked through, those of archives and of git histories too`,
    ),
    line('no other file holds an answer', [...new Set(leaks)], `${answers.length} answers looked for`),
    line(
      'properties, comments and hidden parts of files hold no answer',
      [...new Set(insides)],
      `${own.length} files looked into`,
    ),
    line('there is one file that the task can mean', mistakable(subject, kept, targets), `${kept.files.size} files`),
    line('no other file is the finished work', await finished(found, state, targets, judge), 'none is'),
  ];
}

/** Files that pass every must criterion when they are laid where the work is expected. */
async function finished(
  found: readonly Found[],
  state: StateReader,
  targets: readonly string[],
  judge: Judge,
): Promise<string[]> {
  const problems: string[] = [];
  const tried = new Set<string>();
  for (const target of targets) {
    const alike = found.filter(
      ({ where, bytes }) =>
        bytes.length > 0 &&
        (endingOf(where) === endingOf(target) || (where.endsWith('(git)') && sameMagic(bytes, target))),
    );
    for (const { where, bytes } of alike) {
      const key = `${target} ${sha256(bytes)}`;
      if (tried.has(key) || tried.size >= MOST_CANDIDATES) continue;
      tried.add(key);
      const { failed } = await judge(withFiles(state, new Map([[target, bytes]])));
      if (failed.length === 0) problems.push(`${where} passes as ${nameOf(target)}`);
    }
  }
  return problems;
}

/** Whether content may be a file of that name: packed formats begin alike, texts are texts. */
const sameMagic = (bytes: Uint8Array, target: string): boolean =>
  isOffice(target) ? bytes[0] === 0x50 && bytes[1] === 0x4b : isText(bytes);
