import { readdir } from 'node:fs/promises';
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { desktopServicePaths, desktopSocketsFolder } from '@cua-forge/spec/desktop-service';
import { Desktop, DesktopList, EndedRecording, type StartDesktop } from '@cua-forge/spec/desktops';
import { Failure, ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import { z } from 'zod';

export interface DesktopHostsOptions {
  /** Addresses of services on other machines; without any, the sockets of this one are used. */
  urls: readonly string[];
  token: string | undefined;
  runtime: string;
  /** Names the store: sockets of workers of other stores are left alone. */
  instance: string;
}

/** Where a worker shows the desktops of its machine. */
export type DesktopHost = { socketPath: string } | { url: string };

const answerWithinMs = 15_000;
/** A start waits for the desktop, and for what a package opens in it. */
const startWithinMs = 300_000;

const Refused = z.object({ error: Failure });

/** The desktop services of all workers, as one. */
export class DesktopHosts {
  readonly #options: DesktopHostsOptions;
  /** Which host showed a desktop last. */
  readonly #hostOf = new Map<string, DesktopHost>();

  constructor(options: DesktopHostsOptions) {
    this.#options = options;
  }

  async list(): Promise<DesktopList> {
    const found = new Map<string, Desktop>();
    const problems: string[] = [];
    const hosts = await this.#hosts();
    if (hosts.length === 0) problems.push('No worker shows desktops here.');
    const answers = await Promise.allSettled(
      hosts.map((host) => this.#json(host, DesktopList, 'GET', desktopServicePaths.list)),
    );
    for (const [index, answer] of answers.entries()) {
      const host = hosts[index];
      if (host === undefined) continue;
      if (answer.status === 'rejected') {
        problems.push(`${nameOf(host)}: ${toForgeError(answer.reason).message}`);
        continue;
      }
      problems.push(...answer.value.problems);
      // Workers of one machine show the same desktops; who records knows most of them.
      for (const desktop of answer.value.desktops) {
        const before = found.get(desktop.id);
        if (before !== undefined && before.watchers + Number(before.recording !== null) >= desktop.watchers) continue;
        found.set(desktop.id, desktop);
        this.#hostOf.set(desktop.id, host);
      }
    }
    for (const id of this.#hostOf.keys()) if (!found.has(id)) this.#hostOf.delete(id);
    return {
      desktops: [...found.values()].sort((a, b) => b.createdAt - a.createdAt),
      problems: [...new Set(problems)],
    };
  }

  async start(request: StartDesktop, by: string): Promise<Desktop> {
    const [host] = await this.#hosts();
    if (host === undefined)
      throw new ForgeError('tool.missing', 'No worker shows desktops here.', {
        fix: 'Start a worker on a machine with Docker or bubblewrap, or name its address in FORGE_DESKTOPS.',
      });
    const desktop = await this.#json(host, Desktop, 'POST', desktopServicePaths.list, { ...request, by });
    this.#hostOf.set(desktop.id, host);
    return desktop;
  }

  async end(id: string): Promise<void> {
    await this.#json(await this.#find(id), z.object({}), 'DELETE', desktopServicePaths.one(id));
  }

  async picture(id: string, width: number): Promise<Uint8Array> {
    return this.#bytes(await this.#find(id), 'GET', desktopServicePaths.picture(id, width));
  }

  async startRecording(id: string, by: string): Promise<Desktop> {
    return this.#json(await this.#find(id), Desktop, 'POST', desktopServicePaths.recording(id), { by });
  }

  async endRecording(id: string): Promise<EndedRecording> {
    return this.#json(await this.#find(id), EndedRecording, 'DELETE', desktopServicePaths.recording(id));
  }

  /** Asks for the live view of a desktop; the caller takes the upgraded connection up. @throws ForgeError `not-found` */
  async view(
    id: string,
    viewer: { name: string; control: boolean },
    headers: Record<string, string>,
  ): Promise<ClientRequest> {
    const options = { headers: { ...headers, ...this.#headers() } };
    const path = desktopServicePaths.view(id, viewer);
    const host = await this.#find(id);
    return 'url' in host
      ? send(new URL(path, host.url), options)
      : send({ ...options, socketPath: host.socketPath, path });
  }

  async #hosts(): Promise<DesktopHost[]> {
    const { urls, runtime, instance } = this.#options;
    if (urls.length > 0) return urls.map((url) => ({ url }));
    const folder = join(runtime, desktopSocketsFolder);
    const names = await readdir(folder).catch(() => []);
    return names
      .filter((name) => name.startsWith(`${instance}-`) && name.endsWith('.sock'))
      .sort()
      .map((name) => ({ socketPath: join(folder, name) }));
  }

  async #find(id: string): Promise<DesktopHost> {
    const known = this.#hostOf.get(id);
    if (known !== undefined) return known;
    await this.list();
    const found = this.#hostOf.get(id);
    if (found === undefined)
      throw new ForgeError('not-found', `There is no running desktop "${id}".`, {
        fix: listedAt('desktops'),
      });
    return found;
  }

  #headers(): Record<string, string> {
    const { token } = this.#options;
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  }

  async #json<S extends z.ZodType>(
    host: DesktopHost,
    schema: S,
    method: string,
    path: string,
    body?: object,
  ): Promise<z.output<S>> {
    const bytes = await this.#bytes(host, method, path, body);
    const parsed = schema.safeParse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    if (parsed.success) return parsed.data;
    throw new ForgeError('internal', `The desktop service at ${nameOf(host)} answers in another form.`, {
      fix: 'Server and worker have to be of the same version.',
      cause: parsed.error,
    });
  }

  async #bytes(host: DesktopHost, method: string, path: string, body?: object): Promise<Uint8Array> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        method,
        headers: { ...this.#headers(), ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
        timeout: method === 'POST' ? startWithinMs : answerWithinMs,
      };
      const request =
        'url' in host
          ? send(new URL(path, host.url), options, resolve)
          : send({ ...options, socketPath: host.socketPath, path }, resolve);
      request.once('timeout', () => request.destroy(new Error('it does not answer')));
      request.once('error', reject);
      request.end(text);
    }).catch((cause: unknown) => {
      throw new ForgeError(
        'sandbox.unavailable',
        `The desktop service at ${nameOf(host)} does not answer: ${cause instanceof Error ? cause.message : String(cause)}.`,
        { fix: 'Look whether its worker runs.', cause },
      );
    });
    const bytes = await buffer(answer);
    if (answer.statusCode === 200) return new Uint8Array(bytes);
    const refused = Refused.safeParse(parsedJson(bytes));
    if (!refused.success) throw new ForgeError('internal', `The desktop service answered with ${answer.statusCode}.`);
    const { code, message, fix } = refused.data.error;
    throw new ForgeError(code, message, fix === undefined ? {} : { fix });
  }
}

const nameOf = (host: DesktopHost): string => ('url' in host ? host.url : 'this machine');

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
