import type { LogLine, NewEvent, Store } from '@cua-forge/spec/store-port';

const INTERVAL = 100;
/** Progress of one node is written at most this often. */
const PER_NODE = 300;
/** Lines of one execution that are kept, and characters of each. */
const LINES = 200;
const LINE_LENGTH = 2_000;
/** Executions whose lines and times are remembered. */
const REMEMBERED = 10_000;

/** Writes what executions say while they run, in batches; losing some in a crash is no harm. */
export class ProgressWriter {
  private events: NewEvent[] = [];
  private readonly last = new Map<string, number>();
  private readonly lines = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly store: Pick<Store, 'meta'>) {}

  add(runId: string, key: string, message: string, fraction: number | undefined): void {
    const now = Date.now();
    const name = `${runId}/${key}`;
    if (fraction !== 1 && now - (this.last.get(name) ?? 0) < PER_NODE) return;
    if (this.last.size > REMEMBERED) this.last.clear();
    this.last.set(name, now);
    this.push({
      runId,
      type: 'progress',
      data: { key, message: message.slice(0, 500), fraction: fraction ?? null },
      at: now,
    });
  }

  log(runId: string, { key, token, level, line }: LogLine): void {
    const name = `${runId}/${key}/${token}`;
    const written = (this.lines.get(name) ?? 0) + 1;
    if (this.lines.size > REMEMBERED) this.lines.clear();
    this.lines.set(name, written);
    if (written > LINES + 1) return;
    const data: LogLine =
      written > LINES
        ? { key, token, level: 'warn', line: `More than ${LINES} lines; the rest is not kept.` }
        : { key, token, level, line: line.slice(0, LINE_LENGTH) };
    this.push({ runId, type: 'log', data, at: Date.now() });
  }

  private push(event: NewEvent): void {
    this.events.push(event);
    this.timer ??= setTimeout(() => void this.flush(), INTERVAL);
  }

  async flush(): Promise<void> {
    this.timer = null;
    const events = this.events.splice(0);
    if (events.length > 0) await this.store.meta.addEvents(events).catch(() => undefined);
  }
}
