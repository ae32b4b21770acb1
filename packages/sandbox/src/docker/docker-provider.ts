import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { Duplex, PassThrough } from 'node:stream';
import { ForgeError } from '@cua-forge/spec/errors';
import { type Sandbox, type SandboxInfo, SandboxOptions, type SandboxTarget } from '@cua-forge/spec/sandbox-port';
import type Docker from 'dockerode';
import { AgentClient } from '../agent/agent-client.ts';
import { createSandbox, restoreHome } from '../agent/agent-sandbox.ts';
import { socketTransport, type Transport } from '../agent/transport.ts';
import { type ViewingProvider, viewStream } from '../agent/view-stream.ts';
import { readRecipe } from '../image-recipe.ts';
import { RuntimeFolder } from '../runtime-folder.ts';
import type { SandboxSettings } from '../settings.ts';
import { Snapshots } from '../snapshots.ts';
import { hasImage } from './build-image.ts';
import { containerOptions, labels } from './container-options.ts';
import { connectHost, type DockerHost, dockerError, statusOf } from './docker-host.ts';

const readyWithinMs = 60_000;

interface Place {
  host: DockerHost;
  info: SandboxInfo;
  options: SandboxOptions;
  image: string;
  stopSigns: () => void;
}

/** Sandboxes as containers of one or more Docker daemons, each with a limit. */
export function dockerProvider(settings: SandboxSettings): ViewingProvider {
  const hosts = settings.hosts.map((host) => connectHost(host, settings));
  const runtime = new RuntimeFolder(settings.runtime);
  const snapshots = new Snapshots(`${settings.data}/snapshots`);
  // Another machine, or another user of this one, looks after its own.
  const machine = `${hostname()}:${settings.runtime}`;
  const images = new Map<SandboxTarget, Promise<string>>();
  /** Containers that are being made, by host. */
  const reserved = new Map<string, number>();

  const imageOf = (target: SandboxTarget): Promise<string> => {
    const known = images.get(target) ?? readRecipe(settings.recipe, target).then(({ name }) => name);
    images.set(target, known);
    return known;
  };

  async function containersOf(host: DockerHost): Promise<Docker.ContainerInfo[]> {
    try {
      return await host.docker.listContainers({ all: true, filters: { label: [labels.id] } });
    } catch (error) {
      throw dockerError(error, host.url, 'list its containers');
    }
  }

  /** The host with the most room, and a place on it that nobody else of this process takes. */
  async function reserve(image: string, again = true): Promise<{ host: DockerHost; release: () => void }> {
    const problems: ForgeError[] = [];
    const rooms: { host: DockerHost; room: number }[] = [];
    for (const host of hosts) {
      try {
        const [containers, there] = await Promise.all([containersOf(host), hasImage(host.docker, image)]);
        const running = containers.filter(({ State }) => State === 'running').length;
        if (there) rooms.push({ host, room: host.limit - running });
        else problems.push(noImage(host, image));
      } catch (error) {
        problems.push(dockerError(error, host.url, 'say what runs there'));
      }
    }
    const best = rooms
      .map(({ host, room }) => ({ host, room: room - (reserved.get(host.url) ?? 0) }))
      .sort((a, b) => b.room - a.room)[0];
    if (best === undefined) throw problems[0] ?? new ForgeError('sandbox.unavailable', 'No host of sandboxes is set.');
    // Those that a dead process kept ready take room that nobody uses.
    if (best.room < 1 && again && (await endAbandoned(Number.POSITIVE_INFINITY)).length > 0)
      return reserve(image, false);
    if (best.room < 1)
      throw new ForgeError(
        'sandbox.unavailable',
        `All ${hosts.reduce((sum, { limit }) => sum + limit, 0)} sandboxes are in use.`,
        {
          fix: 'Wait for one to end, raise a limit in FORGE_SANDBOX_HOSTS, or add a host.',
          retryAfterMs: 1_000,
        },
      );
    const { url } = best.host;
    reserved.set(url, (reserved.get(url) ?? 0) + 1);
    return { host: best.host, release: () => reserved.set(url, (reserved.get(url) ?? 1) - 1) };
  }

  async function remove(host: DockerHost, id: string): Promise<void> {
    try {
      await host.docker.getContainer(`cua-forge-${id}`).remove({ force: true, v: true });
    } catch (error) {
      // 404: it is gone; 409: somebody else removes it.
      if (![404, 409].includes(statusOf(error) ?? 0)) throw dockerError(error, host.url, `remove sandbox ${id}`);
    }
    await runtime.remove(id);
  }

  async function connect(place: Pick<Place, 'host' | 'info'>, signal?: AbortSignal): Promise<Transport> {
    const container = place.host.docker.getContainer(`cua-forge-${place.info.id}`);
    if (!place.host.local) return execTransport(place.host.docker, container);
    let ended: string | null = null;
    const watch = setInterval(() => {
      container
        .inspect()
        .then(async ({ State }) => {
          if (!State.Running) ended ??= `${State.Error} exit ${State.ExitCode}: ${await lastWords(container)}`;
        })
        .catch(() => {
          ended ??= 'its container is gone';
        });
    }, 1_000);
    try {
      return await socketTransport(runtime.socket(place.info.id), {
        withinMs: readyWithinMs,
        ended: () => ended,
        signal,
      });
    } finally {
      clearInterval(watch);
    }
  }

  async function take(place: Place, transport: Transport): Promise<{ sandbox: Sandbox; client: AgentClient }> {
    const client = new AgentClient(transport.stream);
    const hello = await client.call('hello', {}, { withinMs: readyWithinMs });
    if (place.host.local) await runtime.seal(place.info.id);
    const sandbox = createSandbox({
      info: place.info,
      options: place.options,
      client,
      hello,
      keep: (archive) => snapshots.keep(place.image, archive),
      end: async () => {
        place.stopSigns();
        await remove(place.host, place.info.id);
      },
    });
    return {
      client,
      sandbox: {
        ...sandbox,
        detach: () => {
          place.stopSigns();
          sandbox.detach();
        },
      },
    };
  }

  async function start(given: Partial<SandboxOptions> = {}, signal?: AbortSignal): Promise<Sandbox> {
    const options = SandboxOptions.parse(given);
    const image = await imageOf(options.target);
    const archive = options.snapshot === null ? null : await snapshots.read(options.snapshot, image);
    const { host, release } = await reserve(image);
    const id = randomBytes(6).toString('hex');
    const createdAt = Date.now();
    const info: SandboxInfo = {
      id,
      provider: 'docker',
      host: host.url,
      image,
      lease: options.lease,
      createdAt,
      state: 'running',
    };
    const place: Place = { host, info, options, image, stopSigns: () => undefined };
    try {
      await runtime.add(id);
      place.stopSigns = runtime.keepAlive(id);
      signal?.throwIfAborted();
      const container = await host.docker
        .createContainer(
          containerOptions({
            id,
            image,
            machine,
            createdAt,
            options,
            socketFolder: host.local ? runtime.socketFolder(id) : null,
          }),
        )
        .catch((error: unknown) => {
          throw dockerError(error, host.url, 'make a sandbox');
        });
      await container.start().catch((error: unknown) => {
        throw dockerError(error, host.url, 'start a sandbox');
      });
      const { sandbox, client } = await take(place, await connect(place, signal));
      if (archive !== null) await restoreHome(sandbox, client, archive);
      return sandbox;
    } catch (error) {
      place.stopSigns();
      await remove(host, id).catch(() => undefined);
      throw error;
    } finally {
      release();
    }
  }

  const infoOf = async (host: DockerHost, { Labels, State, Image }: Docker.ContainerInfo): Promise<SandboxInfo> => {
    const id = Labels[labels.id] ?? '';
    return {
      id,
      provider: 'docker',
      host: host.url,
      image: Image,
      lease: (await runtime.readLease(id)) ?? Labels[labels.lease] ?? '',
      createdAt: Number(Labels[labels.createdAt]) || 0,
      state: State === 'running' ? 'running' : 'ended',
    };
  };

  /** Ends what nobody holds, and what is older; one that has ended may still be looked at by its holder, who is alive. */
  async function endAbandoned(maxAgeMs: number): Promise<string[]> {
    const ended: string[] = [];
    for (const host of hosts) {
      for (const container of await containersOf(host)) {
        if (container.Labels[labels.machine] !== machine) continue;
        const { id, createdAt, lease } = await infoOf(host, container);
        if (Date.now() - createdAt <= maxAgeMs && !(await runtime.isAbandoned(id, lease))) continue;
        await remove(host, id);
        ended.push(id);
      }
    }
    return ended;
  }

  async function running(id: string): Promise<Place> {
    for (const host of hosts) {
      const found = (await containersOf(host)).find(({ Labels }) => Labels[labels.id] === id);
      if (found === undefined || found.State !== 'running') continue;
      const options = SandboxOptions.parse(JSON.parse(found.Labels[labels.options] ?? '{}'));
      return { host, info: await infoOf(host, found), options, image: found.Image, stopSigns: () => undefined };
    }
    throw new ForgeError('sandbox.lost', `There is no running sandbox '${id}'.`, { fix: 'Start a new one.' });
  }

  return {
    name: 'docker',
    limits: [],
    async missing(target) {
      const image = await imageOf(target);
      let problem: ForgeError | null = null;
      for (const host of hosts) {
        try {
          if (await hasImage(host.docker, image)) return null;
          problem ??= noImage(host, image);
        } catch (error) {
          problem ??= dockerError(error, host.url, 'say which images it has');
        }
      }
      return problem ?? new ForgeError('sandbox.unavailable', 'No host of sandboxes is set.');
    },
    start,
    async attach(id, { hold = true } = {}) {
      const place = await running(id);
      const transport = await connect(place);
      if (hold) {
        await runtime.touch(id);
        place.stopSigns = runtime.keepAlive(id);
      }
      return (await take(place, transport)).sandbox;
    },
    view: async (id, options) => viewStream(await connect(await running(id)), options),
    async list() {
      const found = await Promise.all(
        hosts.map(async (host) => Promise.all((await containersOf(host)).map((one) => infoOf(host, one)))),
      );
      return found.flat().sort((a, b) => a.createdAt - b.createdAt);
    },
    lend: (id, lease) => runtime.writeLease(id, lease),
    sweep: ({ maxAgeMs = 24 * 3_600_000 } = {}) => endAbandoned(maxAgeMs),
  };
}

const noImage = (host: DockerHost, image: string): ForgeError =>
  new ForgeError('sandbox.unavailable', `${host.url} has no image ${image}.`, {
    fix: `Run \`forge sandbox build${image.includes(':full-') ? ' --target full' : ''}\`.`,
  });

/** Joins the streams of a process inside, which joins them to the agent's socket. The agent does not end with it. */
async function execTransport(docker: Docker, container: Docker.Container): Promise<Transport> {
  const exec = await container.exec({
    Cmd: ['python3', '-u', '/opt/desktop/agent/agent.py', '--connect', '/sock/agent.sock'],
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
  });
  const raw = await exec.start({ hijack: true, stdin: true });
  const output = new PassThrough();
  docker.modem.demuxStream(raw, output, new PassThrough().resume());
  raw.on('end', () => output.end());
  raw.on('close', () => output.end());
  const stream = Duplex.from({ readable: output, writable: raw });
  stream.on('close', () => raw.destroy());
  return { stream };
}

async function lastWords(container: Docker.Container): Promise<string> {
  const log = await container.logs({ stdout: true, stderr: true, tail: 5 }).catch(() => Buffer.alloc(0));
  return [...log.toString('utf8')]
    .filter((one) => one === '\n' || one >= ' ')
    .join('')
    .trim();
}
