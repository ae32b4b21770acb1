import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { ForgeError } from '@cua-forge/spec/errors';
import { type Sandbox, SandboxInfo, SandboxOptions, type SandboxTarget } from '@cua-forge/spec/sandbox-port';
import { z } from 'zod';
import { AgentClient } from '../agent/agent-client.ts';
import { createSandbox, restoreHome } from '../agent/agent-sandbox.ts';
import { socketTransport } from '../agent/transport.ts';
import { type ViewingProvider, viewStream } from '../agent/view-stream.ts';
import { readRecipe } from '../image-recipe.ts';
import { RuntimeFolder } from '../runtime-folder.ts';
import type { SandboxSettings } from '../settings.ts';
import { Snapshots } from '../snapshots.ts';
import { bubblewrapCommand } from './bubblewrap-command.ts';
import { controlGroup, removeControlGroup } from './limits.ts';
import { childrenOf, kill, startOf } from './processes.ts';
import { rootFolder } from './root-file-system.ts';

const readyWithinMs = 60_000;

/** A user that no account has and no other sandbox: the kernel counts processes by user. */
const userOf = (id: string): number => 1_900_000_000 + Number.parseInt(id.slice(0, 6), 16);

const Record = z.strictObject({
  info: SandboxInfo,
  options: SandboxOptions,
  image: z.string(),
  pid: z.number().int(),
  start: z.string(),
});
type Record = z.infer<typeof Record>;

/** Sandboxes as processes in namespaces of their own, for machines without Docker. Weaker: see `limits`. */
export function bubblewrapProvider(settings: SandboxSettings): ViewingProvider {
  const runtime = new RuntimeFolder(settings.runtime);
  const snapshots = new Snapshots(`${settings.data}/snapshots`);
  const privileged = process.getuid?.() === 0;
  let starting = 0;

  async function records(): Promise<Record[]> {
    const found: Record[] = [];
    for (const id of await runtime.ids()) {
      const record = await runtime.readRecord(id, Record);
      if (record !== null) found.push(record);
    }
    return found;
  }
  const runs = async ({ pid, start }: Record): Promise<boolean> => (await startOf(pid)) === start;

  async function end(record: Pick<Record, 'pid' | 'start' | 'info'>): Promise<void> {
    const { pid, start, info } = record;
    if ((await startOf(pid)) === start) {
      // The child is the first process of its namespace: with it go all others.
      for (const child of await childrenOf(pid)) kill(child);
      for (let attempt = 0; attempt < 200 && (await startOf(pid)) === start; attempt++) await sleep(5);
      if ((await startOf(pid)) === start) kill(pid);
    }
    await removeControlGroup(info.id);
    await runtime.remove(info.id);
  }

  async function running(id: string): Promise<Record> {
    const record = (await records()).find(({ info }) => info.id === id);
    if (record === undefined || !(await runs(record)))
      throw new ForgeError('sandbox.lost', `There is no running sandbox '${id}'.`, { fix: 'Start a new one.' });
    return record;
  }

  async function take(record: Record, child: ChildProcess | null, signal?: AbortSignal, hold = true) {
    let words = '';
    child?.stderr?.on('data', (data: Buffer) => {
      words = `${words}${data.toString('utf8')}`.slice(-1000);
    });
    const { stream } = await socketTransport(runtime.socket(record.info.id), {
      withinMs: readyWithinMs,
      signal,
      ended: () => (child !== null && child.exitCode !== null ? `exit ${child.exitCode}: ${words.trim()}` : null),
    });
    child?.stderr?.destroy();
    const client = new AgentClient(stream);
    const hello = await client.call('hello', {}, { withinMs: readyWithinMs });
    await runtime.seal(record.info.id);
    const stopSigns = hold ? runtime.keepAlive(record.info.id) : () => undefined;
    const sandbox = createSandbox({
      info: record.info,
      options: record.options,
      client,
      hello,
      keep: (archive) => snapshots.keep(record.image, archive),
      end: async () => {
        stopSigns();
        await end(record);
      },
    });
    return {
      client,
      sandbox: {
        ...sandbox,
        detach: () => {
          stopSigns();
          sandbox.detach();
        },
      },
    };
  }

  /** Ends what nobody holds, and what is older. */
  async function endAbandoned(maxAgeMs: number): Promise<string[]> {
    const ended: string[] = [];
    for (const record of await records()) {
      const { id, createdAt, lease } = record.info;
      const used = (await runtime.readLease(id)) ?? lease;
      if (Date.now() - createdAt <= maxAgeMs && !(await runtime.isAbandoned(id, used))) continue;
      await end(record);
      ended.push(id);
    }
    return ended;
  }

  const runningNow = async (): Promise<number> => {
    let count = 0;
    for (const one of await records()) if (await runs(one)) count += 1;
    return count;
  };

  async function missing(target: SandboxTarget): Promise<ForgeError | null> {
    const root = await rootFolder(settings.data, settings.recipe, target);
    if ((await stat(root).catch(() => null)) !== null) return null;
    return new ForgeError('sandbox.unavailable', `There is no root file system ${root}.`, {
      fix: `Run \`forge sandbox build --provider bubblewrap${target === 'full' ? ' --target full' : ''}\`.`,
    });
  }

  async function start(given: Partial<SandboxOptions> = {}, signal?: AbortSignal): Promise<Sandbox> {
    const options = SandboxOptions.parse(given);
    const root = await rootFolder(settings.data, settings.recipe, options.target);
    const lacking = await missing(options.target);
    if (lacking !== null) throw lacking;
    const image = (await readRecipe(settings.recipe, options.target)).name;
    const archive = options.snapshot === null ? null : await snapshots.read(options.snapshot, image);
    starting += 1;
    const id = randomBytes(6).toString('hex');
    let record: Record | null = null;
    try {
      let running = await runningNow();
      // Those that a dead process kept ready take room that nobody uses.
      if (running + starting > settings.bubblewrapLimit && (await endAbandoned(Number.POSITIVE_INFINITY)).length > 0)
        running = await runningNow();
      if (running + starting > settings.bubblewrapLimit)
        throw new ForgeError('sandbox.unavailable', `All ${settings.bubblewrapLimit} sandboxes are in use.`, {
          fix: 'Wait for one to end, or raise FORGE_SANDBOX_BUBBLEWRAP_LIMIT.',
          retryAfterMs: 1_000,
        });
      const user = privileged ? userOf(id) : null;
      await runtime.add(id, user ?? undefined);
      const group = privileged ? await controlGroup(id, options) : null;
      const [program = 'sh', ...args] = bubblewrapCommand({
        root,
        socketFolder: runtime.socketFolder(id),
        options,
        user,
        groupFiles: group?.files ?? [],
      });
      signal?.throwIfAborted();
      // It outlives this process, so that a new one can take hold of it.
      const child = spawn(program, args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
      const pid = await new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('spawn', () => resolve(child.pid ?? 0));
      });
      child.unref();
      record = {
        info: {
          id,
          provider: 'bubblewrap',
          host: 'local',
          image,
          lease: options.lease,
          createdAt: Date.now(),
          state: 'running',
        },
        options,
        image,
        pid,
        start: (await startOf(pid)) ?? '',
      };
      await runtime.writeRecord(id, record);
      const { sandbox, client } = await take(record, child, signal);
      if (archive !== null) await restoreHome(sandbox, client, archive);
      return sandbox;
    } catch (error) {
      if (record !== null) await end(record);
      else {
        await removeControlGroup(id);
        await runtime.remove(id);
      }
      if (error instanceof ForgeError && error.code === 'sandbox.lost' && error.message.includes('not found'))
        throw new ForgeError('tool.missing', `bubblewrap, setpriv or prlimit is missing: ${error.message}`, {
          fix: 'apt-get install bubblewrap util-linux',
          cause: error,
        });
      throw error;
    } finally {
      starting -= 1;
    }
  }

  return {
    name: 'bubblewrap',
    limits: [
      'System calls are not filtered: a fault of the kernel that Docker’s filter keeps away can be reached.',
      ...(privileged
        ? [
            'Memory, processes and processors are bounded where control groups can be written, else for each process alone.',
          ]
        : [
            'Memory and processors are not bounded for the sandbox as a whole, only the memory of each process.',
            'Sandboxes share a count of processes: one that is at its limit keeps others from starting.',
          ]),
    ],
    missing,
    start,
    async attach(id, { hold = true } = {}) {
      const record = await running(id);
      if (hold) await runtime.touch(id);
      return (await take(record, null, undefined, hold)).sandbox;
    },
    async view(id, options) {
      await running(id);
      return viewStream(await socketTransport(runtime.socket(id), { withinMs: readyWithinMs }), options);
    },
    async list() {
      const found: SandboxInfo[] = [];
      for (const record of await records())
        found.push({
          ...record.info,
          lease: (await runtime.readLease(record.info.id)) ?? record.info.lease,
          state: (await runs(record)) ? 'running' : 'ended',
        });
      return found.sort((a, b) => a.createdAt - b.createdAt);
    },
    lend: (id, lease) => runtime.writeLease(id, lease),
    sweep: ({ maxAgeMs = 24 * 3_600_000 } = {}) => endAbandoned(maxAgeMs),
  };
}
