import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { findAnswerLeaks } from '@cua-forge/spec/answer-leaks';
import type { ProofLine } from '@cua-forge/spec/proof';
import type { StateReader } from '@cua-forge/spec/state-reader';
import type { KeptFiles } from '../desk/home-files.ts';
import { gitBlobs } from '../files/git-objects.ts';
import { hiddenTexts, membersOf } from '../files/hidden-texts.ts';
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

/** Looks through all that the setup has left in the sandbox for answers, hidden files and finished work. */
export async function visibleStep(
  subject: Subject,
  kept: KeptFiles,
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
  // What the task is given may hold what an answer is made of; what nobody speaks of may not.
  const isGiven = (where: string): boolean =>
    kept.files.get(where)?.sha256 === prepared.get(where) &&
    (targets.includes(where) || subject.instruction.toLowerCase().includes(nameOf(where).toLowerCase()));
  const extra = own.filter(({ where }) => !isGiven(where));
  const found = extra.flatMap((one) => unfolded(one)).slice(0, MOST_FOUND);
  const hiddenFiles = found.filter(({ bytes }) => hiddenHashes.has(sha256(bytes)));
  const leaks = found.flatMap(({ where, bytes }) =>
    isText(bytes)
      ? findAnswerLeaks(new TextDecoder().decode(bytes.subarray(0, MOST_TEXT)), answers).map(
          ({ label }) => `“${label}” is in ${where}`,
        )
      : [],
  );
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
