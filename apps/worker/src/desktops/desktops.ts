import type { Duplex } from 'node:stream';
import type { ViewingProvider } from '@cua-forge/sandbox/agent/view-stream';
import { type InputEvent, RfbInput } from '@cua-forge/sandbox/demonstration/rfb-input';
import {
  type Desktop,
  type DesktopList,
  type EndedRecording,
  leaseOf,
  type StartDesktop,
} from '@cua-forge/spec/desktops';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import type { Sandbox, SandboxInfo } from '@cua-forge/spec/sandbox-port';
import { Demonstrations } from './demonstrations.ts';

/** Milliseconds for which one picture serves everybody who asks. */
const pictureAgeMs = 1_500;

interface Picture {
  at: number;
  width: number;
  bytes: Promise<Uint8Array>;
}
interface Watcher {
  name: string;
  control: boolean;
}

export interface DesktopsOptions {
  providers: readonly ViewingProvider[];
  /** Where recordings in progress lie. */
  folder: string;
  /** Makes the desktop of a task package in a fresh sandbox. */
  prepare?: (sandbox: Sandbox, packageId: string) => Promise<void>;
}

/** The sandboxes of this machine as people see them: pictures, live views, recordings. What holds them goes on holding them. */
export class Desktops {
  readonly #options: DesktopsOptions;
  readonly #demonstrations: Demonstrations;
  readonly #pictures = new Map<string, Picture>();
  readonly #watchers = new Map<string, Set<Watcher>>();
  /** Those that people have started here, which this process keeps alive. */
  readonly #own = new Map<string, Sandbox>();

  constructor(options: DesktopsOptions) {
    this.#options = options;
    this.#demonstrations = new Demonstrations(options.folder);
  }

  async list(): Promise<DesktopList> {
    const problems: string[] = [];
    const desktops: Desktop[] = [];
    for (const provider of this.#options.providers) {
      try {
        for (const info of await provider.list()) desktops.push(await this.#describe(info));
      } catch (error) {
        problems.push(toForgeError(error).message);
      }
    }
    return { desktops: desktops.sort((a, b) => a.createdAt - b.createdAt), problems };
  }

  /** A JPEG of the screen, `width` pixels wide. */
  async picture(id: string, width: number): Promise<Uint8Array> {
    const kept = this.#pictures.get(id);
    if (kept !== undefined && kept.width === width && Date.now() - kept.at < pictureAgeMs) return kept.bytes;
    const bytes = this.#lookAt(id, async (sandbox) => {
      const height = Math.max(1, Math.round((width * sandbox.screen.height) / sandbox.screen.width));
      return (await sandbox.screenshot({ format: 'jpeg', quality: 75, size: { width, height } })).bytes;
    });
    this.#pictures.set(id, { at: Date.now(), width, bytes });
    bytes.catch(() => this.#pictures.delete(id));
    return bytes;
  }

  async start({ provider: name, packageId, ...options }: StartDesktop, by: string): Promise<Desktop> {
    const provider = this.#options.providers.find((one) => one.name === name);
    if (provider === undefined)
      throw new ForgeError('sandbox.unavailable', `This worker has no provider '${name}'.`, {
        fix: '`forge doctor` says what is missing.',
      });
    const lease = [`user=${by.replace(/\s/g, '_')}`, ...(packageId === null ? [] : [`package=${packageId}`])].join(' ');
    const sandbox = await provider.start({ ...options, lease });
    try {
      if (packageId !== null) await this.#options.prepare?.(sandbox, packageId);
    } catch (error) {
      await sandbox.close();
      throw error;
    }
    this.#own.set(sandbox.id, sandbox);
    return this.#describe(sandbox.info);
  }

  async end(id: string): Promise<void> {
    const own = this.#own.get(id);
    this.#own.delete(id);
    this.#pictures.delete(id);
    await this.#demonstrations.remove(id);
    if (own !== undefined) return own.close();
    await (await (await this.#providerOf(id)).attach(id, { hold: false })).close();
  }

  async startRecording(id: string, by: string): Promise<Desktop> {
    const info = await this.#infoOf(id);
    const screen = await this.#lookAt(id, async (sandbox) => sandbox.screen);
    await this.#demonstrations.start(id, screen, by);
    return this.#describe(info);
  }

  endRecording(id: string): Promise<EndedRecording> {
    return this.#demonstrations.end(id);
  }

  /** Joins a viewer to the screen until either side ends it. What a hand with control does is heard where it is recorded. */
  async view(
    id: string,
    viewer: Watcher,
  ): Promise<{ desktop: Duplex; heard: (data: Uint8Array) => void; left: () => void }> {
    const desktop = await (await this.#providerOf(id)).view(id, { control: viewer.control });
    // A recording that another process has begun goes on here.
    await this.#demonstrations.of(id);
    const watchers = this.#watchers.get(id) ?? new Set();
    watchers.add(viewer);
    this.#watchers.set(id, watchers);
    const input = new RfbInput((event: InputEvent) => this.#demonstrations.take(id, event), Date.now);
    return {
      desktop,
      heard: (data) => {
        if (viewer.control) input.take(data);
      },
      left: () => {
        watchers.delete(viewer);
        if (watchers.size === 0) this.#watchers.delete(id);
      },
    };
  }

  /** Ends what people have started here. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#own.values()].map((sandbox) => sandbox.close()));
    this.#own.clear();
  }

  async #providerOf(id: string): Promise<ViewingProvider> {
    let problem: unknown;
    for (const provider of this.#options.providers) {
      try {
        if ((await provider.list()).some((info) => info.id === id && info.state === 'running')) return provider;
      } catch (error) {
        problem ??= error;
      }
    }
    throw problem ?? new ForgeError('not-found', `There is no running desktop '${id}'.`, { fix: listedAt('desktops') });
  }

  async #infoOf(id: string): Promise<SandboxInfo> {
    const found = (await (await this.#providerOf(id)).list()).find((info) => info.id === id);
    if (found === undefined) throw new ForgeError('not-found', `There is no running desktop '${id}'.`);
    return found;
  }

  async #lookAt<T>(id: string, look: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const own = this.#own.get(id);
    if (own !== undefined) return look(own);
    const sandbox = await (await this.#providerOf(id)).attach(id, { hold: false });
    try {
      return await look(sandbox);
    } finally {
      sandbox.detach();
    }
  }

  async #describe(info: SandboxInfo): Promise<Desktop> {
    const watchers = [...(this.#watchers.get(info.id) ?? [])];
    return {
      ...info,
      ...leaseOf(info.lease),
      watchers: watchers.length,
      controlledBy: watchers.filter(({ control }) => control).map(({ name }) => name),
      recording: await this.#demonstrations.of(info.id),
    };
  }
}
