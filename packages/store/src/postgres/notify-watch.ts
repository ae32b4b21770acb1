import { randomUUID } from 'node:crypto';
import { Client, type ClientConfig } from 'pg';
import { Watchers } from '../watchers.ts';

/** All stores of one database share it: a wake-up too many costs one query. */
const channel = 'cua_forge_changes';
const firstPause = 100;
const longestPause = 5_000;

/** Wakes watchers after commits: own ones by `signal`, those of other processes by NOTIFY. Listens only while someone watches. */
export class NotifyWatch {
  readonly #config: ClientConfig;
  readonly #own = randomUUID();
  readonly #watchers = new Watchers();
  #client: Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #pause = firstPause;
  #closed = false;

  constructor(config: ClientConfig) {
    this.#config = config;
  }

  /** What tells other processes; it belongs into the transaction that they shall see. */
  get statement(): string {
    return `notify ${channel}, '${this.#own}'`;
  }

  watch(wake: () => void): () => void {
    const remove = this.#watchers.add(wake);
    if (this.#client === null && this.#retry === null && !this.#closed) this.#listen();
    return () => {
      remove();
      if (this.#watchers.size === 0) this.#stop();
    };
  }

  signal(): void {
    this.#watchers.signal();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#watchers.clear();
    await this.#stop();
  }

  /** What was committed before it listens, or while the connection was lost, has told nobody: hence the signal. */
  #listen(): void {
    const client = new Client(this.#config);
    this.#client = client;
    const lost = () => this.#lost(client);
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload }) => {
      if (payload !== this.#own) this.#watchers.signal();
    });
    client
      .connect()
      .then(() => client.query(`listen ${channel}`))
      .then(() => {
        this.#pause = firstPause;
        this.#watchers.signal();
      }, lost);
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => undefined);
    if (this.#watchers.size === 0) return;
    this.#retry = setTimeout(() => {
      this.#retry = null;
      this.#listen();
    }, this.#pause).unref();
    this.#pause = Math.min(longestPause, this.#pause * 2);
  }

  async #stop(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => undefined);
  }
}
