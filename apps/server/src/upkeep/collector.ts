import { toForgeError } from '@cua-forge/spec/errors';
import type { Store } from '@cua-forge/spec/store-port';
import type { CollectionView, StartCollection } from '@cua-forge/spec/upkeep';
import { graceMsOf, type UpkeepSettings } from '@cua-forge/store/upkeep-settings';
import type { Logger } from 'pino';

export interface CollectorParts {
  store: Store;
  log: Logger;
  now(): number;
}

/** Collects garbage when it is asked to, and by itself where the settings say so; one at a time. */
export class Collector {
  readonly #services: CollectorParts;
  readonly #settings: UpkeepSettings;
  readonly #stop = new AbortController();
  #view: CollectionView = { state: 'none', progress: null, report: null, failure: null };
  #running: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(services: CollectorParts, settings: UpkeepSettings) {
    this.#services = services;
    this.#settings = settings;
  }

  view(): CollectionView {
    return this.#view;
  }

  /** Begins one, unless one is under way: then that is answered. @throws ForgeError `input.invalid` */
  start({ dryRun, graceHours }: StartCollection): CollectionView {
    const graceMs = graceMsOf(this.#settings, graceHours);
    if (this.#running === null) {
      this.#view = { state: 'running', progress: null, report: null, failure: null };
      this.#running = this.#collect(dryRun, graceMs).finally(() => {
        this.#running = null;
      });
    }
    return this.#view;
  }

  /** Collects in the interval of the settings, if there is one. */
  schedule(): void {
    const { everyHours } = this.#settings;
    if (everyHours === undefined) return;
    this.#timer = setInterval(() => this.start({ dryRun: false }), everyHours * 3_600_000).unref();
  }

  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#stop.abort();
    await this.#running;
  }

  async #collect(dryRun: boolean, graceMs: number): Promise<void> {
    const { store, log, now } = this.#services;
    try {
      const report = await store.upkeep.collect({
        retention: this.#settings.retention,
        graceMs,
        dryRun,
        now,
        signal: this.#stop.signal,
        onProgress: (progress) => {
          this.#view = { ...this.#view, progress };
        },
      });
      this.#view = { state: 'succeeded', progress: null, report, failure: null };
      log.info(report, 'garbage collected');
    } catch (thrown) {
      const failure = toForgeError(thrown).toFailure();
      this.#view = { state: 'failed', progress: null, report: null, failure };
      log.warn({ failure }, 'garbage could not be collected');
    }
  }
}
