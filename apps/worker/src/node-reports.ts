import { ReportedNode } from '@cua-forge/spec/engine';
import type { NodeView, Store } from '@cua-forge/spec/store-port';
import type { Logger } from 'pino';

const INTERVAL = 25;
const AT_ONCE = 500;

/** Writes the node states that workflows report, in batches. A batch that the store refuses is tried again; a newer state of a node replaces the one that waits. */
export class NodeReports {
  private waiting = new Map<string, NodeView>();
  private timer: NodeJS.Timeout | null = null;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly log: Logger,
  ) {}

  report(runId: string, nodes: unknown[]): void {
    const at = Date.now();
    for (const node of nodes) {
      const view: NodeView = { runId, at, ...ReportedNode.parse(node) };
      const id = `${runId}\n${view.key}`;
      const other = this.waiting.get(id);
      if (!other || other.seq <= view.seq) this.waiting.set(id, view);
    }
    if (this.waiting.size >= AT_ONCE) void this.flush();
    else this.timer ??= setTimeout(() => void this.flush(), INTERVAL);
  }

  flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    this.writing = this.writing.then(() => this.write());
    return this.writing;
  }

  private async write(): Promise<void> {
    const views = this.waiting;
    if (views.size === 0) return;
    this.waiting = new Map();
    try {
      await this.store.meta.saveNodeViews([...views.values()]);
    } catch (error) {
      this.log.warn(
        { error: error instanceof Error ? error.message : String(error), nodes: views.size },
        'node states could not be written; trying again',
      );
      for (const [id, view] of views) if (!this.waiting.has(id)) this.waiting.set(id, view);
      this.timer ??= setTimeout(() => void this.flush(), 1_000);
    }
  }
}
