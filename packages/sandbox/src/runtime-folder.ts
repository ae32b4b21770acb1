import {
  chmod,
  chown,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { keptReady } from '@cua-forge/spec/sandbox-port';
import { z } from 'zod';
import { startOf } from './bubblewrap/processes.ts';

/** Milliseconds between two signs of life of a holder, and after which a sandbox without one counts as abandoned. */
export const aliveEveryMs = 10_000;
export const abandonedAfterMs = 300_000;
/** The same of one that nobody has used, which nobody comes back for. */
const unusedAfterMs = 3 * aliveEveryMs;

/** User and group of everything inside. */
export const insideUser = 1000;

/** Home folder inside: where the paths of tasks lie. */
export const insideHome = '/home/user';

const Holder = z.object({ pid: z.number().int(), start: z.string(), processes: z.string() });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Which numbering of processes this one belongs to, of this start of the machine. */
const processSpace = async (): Promise<string> =>
  `${await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')} ${await readlink('/proc/self/ns/pid').catch(() => '')}`;

/** What lies on the machine for each running sandbox: its socket, its record, who holds it, and the holder's sign of life. */
export class RuntimeFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  folder = (id: string): string => join(this.path, id);
  socketFolder = (id: string): string => join(this.path, id, 's');
  socket = (id: string): string => join(this.path, id, 's', 'agent.sock');

  /** Makes the folder of a sandbox. Nobody else can list what lies above it, and ids cannot be guessed. */
  async add(id: string, user = insideUser): Promise<void> {
    await mkdir(this.path, { recursive: true, mode: 0o711 });
    const facts = await lstat(this.path);
    if (!facts.isDirectory() || facts.uid !== process.getuid?.() || (facts.mode & 0o066) !== 0)
      throw new ForgeError('sandbox.unavailable', `${this.path} is not a folder that only this user can look into.`, {
        fix: 'Remove it, or set FORGE_SANDBOX_RUNTIME to another folder.',
      });
    if (Buffer.byteLength(this.socket(id)) > 100)
      throw new ForgeError('sandbox.unavailable', `${this.path} is too long for sockets.`, {
        fix: 'Set FORGE_SANDBOX_RUNTIME to a shorter path.',
      });
    await mkdir(this.socketFolder(id), { recursive: true });
    // The user inside makes its socket there. Root can name that user; anybody else opens the folder for the moment.
    if (facts.uid === 0) await chown(this.socketFolder(id), user, user);
    else await chmod(this.socketFolder(id), 0o777);
    await this.touch(id);
  }

  /** Shuts the folder of the socket once it is there: a sandbox can fill no disk through it, and nobody else can connect. */
  async seal(id: string): Promise<void> {
    const uid = process.getuid?.() ?? 0;
    if (uid === 0) await chown(this.socketFolder(id), 0, 0);
    await chmod(this.socketFolder(id), 0o700);
  }

  async touch(id: string): Promise<void> {
    const file = join(this.folder(id), 'alive');
    const now = new Date();
    await utimes(file, now, now).catch(() => writeFile(file, '').catch(() => undefined));
  }

  /** Milliseconds since the last sign of life; null where there never was one on this machine. */
  async silentFor(id: string): Promise<number | null> {
    const facts = await stat(join(this.folder(id), 'alive')).catch(() => null);
    return facts === null ? null : Date.now() - facts.mtimeMs;
  }

  /** Signs of life of this process until the answer is called. */
  keepAlive(id: string): () => void {
    void this.#hold(id);
    const timer = setInterval(() => void this.touch(id), aliveEveryMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Whether nobody holds a sandbox any more: no sign of life for a time, or, of one that nobody has used, a holder of this machine that has ended. */
  async isAbandoned(id: string, lease: string): Promise<boolean> {
    const silent = (await this.silentFor(id)) ?? Number.POSITIVE_INFINITY;
    if (silent > abandonedAfterMs) return true;
    return lease === keptReady && (silent > unusedAfterMs || (await this.#holderEnded(id)));
  }

  async #hold(id: string): Promise<void> {
    const holder = { pid: process.pid, start: (await startOf(process.pid)) ?? '', processes: await processSpace() };
    const file = join(this.folder(id), 'holder.json');
    // Without it the sandbox counts as abandoned a little later.
    await writeFile(`${file}.new`, JSON.stringify(holder))
      .then(() => rename(`${file}.new`, file))
      .catch(() => undefined);
  }

  async #holderEnded(id: string): Promise<boolean> {
    const text = await readFile(join(this.folder(id), 'holder.json'), 'utf8').catch(() => null);
    const holder = text === null ? undefined : Holder.safeParse(parsed(text)).data;
    // Numbers of processes of another container say nothing here.
    if (holder === undefined || holder.processes !== (await processSpace())) return false;
    return (await startOf(holder.pid)) !== holder.start;
  }

  async writeRecord(id: string, record: object): Promise<void> {
    const file = join(this.folder(id), 'record.json');
    await writeFile(`${file}.new`, JSON.stringify(record));
    await rename(`${file}.new`, file);
  }

  async readRecord<T>(id: string, schema: z.ZodType<T>): Promise<T | null> {
    const text = await readFile(join(this.folder(id), 'record.json'), 'utf8').catch(() => null);
    if (text === null) return null;
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      return null;
    }
  }

  async writeLease(id: string, lease: string): Promise<void> {
    const file = join(this.folder(id), 'lease');
    await writeFile(`${file}.new`, lease);
    await rename(`${file}.new`, file);
  }

  /** Who uses a sandbox since it was lent; null where it never was, or from another machine. */
  readLease = (id: string): Promise<string | null> =>
    readFile(join(this.folder(id), 'lease'), 'utf8').catch(() => null);

  async ids(): Promise<string[]> {
    return (await readdir(this.path).catch(() => [])).filter((name) => !name.startsWith('.')).sort();
  }

  async remove(id: string): Promise<void> {
    await rm(this.folder(id), { recursive: true, force: true });
  }
}
