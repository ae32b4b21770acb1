import { ForgeError } from '@cua-forge/spec/errors';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import { z } from 'zod';

/** A file below the home folder or /tmp. */
export const HomeFile = z.object({
  path: z.string(),
  size: z.number(),
  mode: z.number(),
  uid: z.number(),
  /** Empty for links and for files too large to read. */
  sha256: z.string(),
  link: z.boolean(),
});
export type HomeFile = z.infer<typeof HomeFile>;
export type HomeFiles = ReadonlyMap<string, HomeFile>;

/** What programs keep for themselves while they run: it differs from one moment to the next and is nobody's work. */
const ownBusiness =
  /^\/tmp\/prover\/|^\/tmp\/task-setup-\d+\/[^/]+\.(?:pid|service)$|(?:^|\/)(?:\.cache|\.dbus|\.Xauthority|\.~lock\.[^/]*#|\.pki|lost\+found|\.ICE-unix|\.X\d+-lock|\.X11-unix|OSL_PIPE_[^/]*|lu[0-9a-z]+\.tmp|[^/]*\.sock|dbus-[^/]*|at-spi[^/]*)(?:\/|$)|\.config\/(?:libreoffice|dconf|chromium\/(?!Default\/(?:Bookmarks|History|Preferences)$)|pulse|gtk-|fontconfig|openbox)|\/recently-used\.xbel/;

/** Prints one JSON line a file. Python, since it is what every image has and names may hold anything. */
const lister = `
import hashlib, json, os, stat, sys
for root in sys.argv[1:]:
    for folder, names, files in os.walk(root):
        for name in files + [n for n in names if os.path.islink(os.path.join(folder, n))]:
            path = os.path.join(folder, name)
            try:
                s = os.lstat(path)
                digest = ""
                if stat.S_ISREG(s.st_mode) and s.st_size <= 64 << 20:
                    with open(path, "rb") as f:
                        digest = hashlib.sha256(f.read()).hexdigest()
                elif not stat.S_ISREG(s.st_mode) and not stat.S_ISLNK(s.st_mode):
                    continue
                print(json.dumps({"path": path, "size": s.st_size, "mode": s.st_mode & 0o7777, "uid": s.st_uid,
                                  "sha256": digest, "link": stat.S_ISLNK(s.st_mode)}))
            except OSError as problem:
                if problem.errno not in (2, 20):
                    print(json.dumps({"path": path, "size": -1, "mode": 0, "uid": -1, "sha256": "", "link": False}))
`;

/** What nobody would look into: sockets, locks, and copies that programs make of what they have open. */
const passing =
  /^\/tmp\/prover\/|^\/tmp\/task-setup-\d+\/[^/]+\.(?:pid|service)$|(?:^|\/)(?:\.Xauthority|\.~lock\.[^/]*#|\.ICE-unix|\.X\d+-lock|\.X11-unix|OSL_PIPE_[^/]*|lu[0-9a-z]+\.tmp|[^/]*\.sock)(?:\/|$)|\/\.config\/libreoffice\/\d+\/user\/(?:backup|extensions|uno_packages)\//;

/** Files that programs keep for themselves, but where something may have been put by hand. */
export const isCranny = (path: string): boolean => ownBusiness.test(path) && !passing.test(path);

/** Files that are work rather than programs' own business, by path; paths below the home folder begin as the sandbox's user writes them. */
export const homeFiles = async (sandbox: Sandbox, roots: readonly string[], signal: AbortSignal): Promise<HomeFiles> =>
  withoutOwnBusiness(await allFiles(sandbox, roots, signal));

const withoutOwnBusiness = (files: HomeFiles): HomeFiles =>
  new Map([...files].filter(([path]) => !ownBusiness.test(path)));

/** All files below some folders, those of programs too. */
export async function allFiles(sandbox: Sandbox, roots: readonly string[], signal: AbortSignal): Promise<HomeFiles> {
  const { stdout, exitCode, stderr, droppedBytes } = await sandbox.exec(['python3', '-c', lister, ...roots], {
    signal,
    maxBytes: 16 * 1024 * 1024,
  });
  if (exitCode !== 0 || droppedBytes > 0)
    throw new ForgeError('sandbox.failed', `The files of the sandbox cannot be listed: ${stderr.slice(-300)}`);
  const found = stdout
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => HomeFile.parse(JSON.parse(text)));
  return new Map(found.map((file) => [file.path, file]));
}

/** Paths that differ in content, mode or owner, or are in one alone. */
export function changedPaths(before: HomeFiles, after: HomeFiles): string[] {
  const same = (a: HomeFile | undefined, b: HomeFile | undefined) =>
    a !== undefined &&
    b !== undefined &&
    a.sha256 === b.sha256 &&
    a.mode === b.mode &&
    a.uid === b.uid &&
    a.size === b.size;
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => !same(before.get(path), after.get(path)));
}

/** A kept state of files: what they were, and the bytes of those that may have to come back. */
export interface KeptFiles {
  files: HomeFiles;
  bytes: ReadonlyMap<string, Uint8Array>;
}

const MOST_KEPT = 256 * 1024 * 1024;

/** Keeps the files that are not in `without`. @throws ForgeError `sandbox.failed` when they are too much */
export async function keepFiles(
  sandbox: Sandbox,
  roots: readonly string[],
  without: HomeFiles,
  signal: AbortSignal,
): Promise<KeptFiles> {
  const files = await homeFiles(sandbox, roots, signal);
  const bytes = new Map<string, Uint8Array>();
  let size = 0;
  for (const [path, file] of files) {
    if (without.get(path)?.sha256 === file.sha256 || file.sha256 === '' || file.link) continue;
    size += file.size;
    if (size > MOST_KEPT) throw new ForgeError('sandbox.failed', 'The setup leaves more than 256 MB of files.');
    bytes.set(path, await sandbox.getFile(path));
  }
  return { files, bytes };
}

const MOST_CRANNIES = 32 * 1024 * 1024;
const LARGEST_CRANNY = 4 * 1024 * 1024;

/** Bytes of the files among those of programs that are not in `without`, as far as they are of a size that texts have. */
export async function crannies(
  sandbox: Sandbox,
  roots: readonly string[],
  without: HomeFiles,
  signal: AbortSignal,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  let left = MOST_CRANNIES;
  for (const [path, file] of await allFiles(sandbox, roots, signal)) {
    if (!isCranny(path) || file.link || file.sha256 === '' || without.get(path)?.sha256 === file.sha256) continue;
    if (file.size > LARGEST_CRANNY || file.size > left) continue;
    left -= file.size;
    const bytes = await readable(sandbox, path);
    if (bytes !== null) found.set(path, bytes);
  }
  return found;
}

/** Null for what its program has taken away or may not be read meanwhile. */
const readable = (sandbox: Sandbox, path: string): Promise<Uint8Array | null> =>
  sandbox.getFile(path).catch((thrown: unknown) => {
    if (thrown instanceof ForgeError && thrown.code !== 'sandbox.lost' && thrown.code !== 'node.cancelled') return null;
    throw thrown;
  });

/** Brings back the files as they were kept, and takes away those that are new. Answers with the paths that still differ. */
export async function restoreFiles(
  sandbox: Sandbox,
  roots: readonly string[],
  kept: KeptFiles,
  signal: AbortSignal,
): Promise<string[]> {
  const now = await homeFiles(sandbox, roots, signal);
  const changed = changedPaths(kept.files, now);
  const gone = changed.filter((path) => !kept.files.has(path));
  if (gone.length > 0) await sandbox.exec(['rm', '-f', '--', ...gone], { signal });
  const left: string[] = [];
  for (const path of changed) {
    const file = kept.files.get(path);
    if (file === undefined) continue;
    const bytes = kept.bytes.get(path);
    if (bytes === undefined) left.push(path);
    else await sandbox.putFile(path, bytes, { mode: file.mode });
  }
  return left;
}
