import { ReportedNode } from '@cua-forge/spec/engine';
import type { NodeView, Store } from '@cua-forge/spec/store-port';
import type { Logger } from 'pino';

/** Milliseconds that a state may wait: quick nodes are written once, with their last state. */
const INTERVAL = 80;
const RETRY_INTERVAL = 1_000;
const AT_ONCE = 500;

type Views = Map<string, NodeView>;

/** Writes the node states that workflows report, in batches. A batch that the store refuses is tried again; a newer state of a node replaces the one that waits. */
export class NodeReports {
  /** Run → path → state. */
  private waiting = new Map<string, Views>();
  private count = 0;
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly log: Logger,
  ) {}

  report(runId: string, nodes: unknown[]): void {
    const at = Date.now();
    for (const node of nodes) this.keep({ runId, at, ...ReportedNode.parse(node) });
    if (this.count >= AT_ONCE) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), INTERVAL);
  }

  /** Resolves when what was reported so far (of this run, if one is named) is in the store, or has been refused once. */
  flush(runId?: string): Promise<void> {
    const views = runId === undefined ? [...this.waiting.values()] : [this.waiting.get(runId) ?? new Map()];
    if (runId === undefined) {
      if (this.timer) clearTimeout(this.timer);
      this.timer = null;
      this.waiting = new Map();
      this.count = 0;
    } else {
      this.waiting.delete(runId);
      this.count -= views[0]?.size ?? 0;
    }
    const all = views.flatMap((each) => [...each.values()]);
    this.writing = this.writing.then(() => this.write(all));
    return this.writing;
  }

  private keep(view: NodeView): void {
    const views: Views = this.waiting.get(view.runId) ?? new Map();
    this.waiting.set(view.runId, views);
    const other = views.get(view.key);
    if (!other) this.count += 1;
    if (!other || other.seq <= view.seq) views.set(view.key, view);
  }

  private async write(views: NodeView[]): Promise<void> {
    if (views.length === 0) return;
    try {
      await this.store.meta.saveNodeViews(views);
    } catch (error) {
      this.log.warn(
        { error: error instanceof Error ? error.message : String(error), nodes: views.length },
        'node states could not be written; trying again',
      );
      for (const view of views) this.keep(view);
      this.timer ??= setTimeout(() => void this.flush(), RETRY_INTERVAL);
    }
  }
}
