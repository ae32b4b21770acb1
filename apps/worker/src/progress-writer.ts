import type { NewEvent, Store } from '@cua-forge/spec/store-port';

const INTERVAL = 100;
/** Progress of one node is written at most this often. */
const PER_NODE = 300;

/** Writes what executions say of their progress, in batches; losing some in a crash is no harm. */
export class ProgressWriter {
  private events: NewEvent[] = [];
  private readonly last = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly store: Store) {}

  add(runId: string, key: string, message: string, fraction: number | undefined): void {
    const now = Date.now();
    const name = `${runId}/${key}`;
    if (fraction !== 1 && now - (this.last.get(name) ?? 0) < PER_NODE) return;
    if (this.last.size > 10_000) this.last.clear();
    this.last.set(name, now);
    this.events.push({
      runId,
      type: 'progress',
      data: { key, message: message.slice(0, 500), fraction: fraction ?? null },
      at: now,
    });
    this.timer ??= setTimeout(() => void this.flush(), INTERVAL);
  }

  async flush(): Promise<void> {
    this.timer = null;
    const events = this.events.splice(0);
    if (events.length > 0) await this.store.meta.addEvents(events).catch(() => undefined);
  }
}
