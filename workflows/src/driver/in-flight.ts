import { CancellationScope, isCancellation } from '@temporalio/workflow';

const soon = Promise.resolve();

/** Work that a workflow has under way on Temporal, by the tokens it is for. */
export class InFlight {
  count = 0;
  /** A batch ends early only when all of its members are abandoned. */
  private readonly scopes = new Map<number, { scope: CancellationScope; tokens: Set<number> }>();
  /**
   * Everything short shares one scope: the SDK pays for each promise of a workflow, and a scope costs several. Short work that became stale runs to its end and is
   * ignored; only cancelling the run ends it early.
   */
  private readonly short = new CancellationScope({ cancellable: true });

  /** `landed` is called each time that counted work has ended. */
  constructor(private readonly landed: () => void) {}

  /** Runs `work` so that abandoning one of its tokens, or all where it has several, cancels it. Counted until it has ended. */
  track(tokens: readonly number[], work: () => Promise<void>): void {
    this.count += 1;
    this.watch(tokens, work, () => this.land());
  }

  /** As `track`, not counted: a timer does not keep a workflow from going on in a new history. */
  watch(tokens: readonly number[], work: () => Promise<void>, ended: () => void = () => {}): void {
    const scope = new CancellationScope({ cancellable: true });
    const entry = { scope, tokens: new Set(tokens) };
    for (const token of tokens) this.scopes.set(token, entry);
    void scope
      .run(work)
      .catch((thrown: unknown) => {
        if (!isCancellation(thrown)) throw thrown;
      })
      .finally(() => {
        for (const token of tokens) this.scopes.delete(token);
        ended();
      });
  }

  /** Counts short work, started inside `runShort`, until it has ended one way or the other. */
  follow<T>(work: Promise<T>, ended: (result: T) => void, failed: (thrown: unknown) => void): void {
    this.count += 1;
    work.then(
      (result) => {
        ended(result);
        this.land();
      },
      (thrown: unknown) => {
        failed(thrown);
        this.land();
      },
    );
  }

  /** Runs `work` in the next microtask, within the scope of short work. What short work leads to is there already: its promises are spared. */
  runShort(work: () => void): void {
    if (CancellationScope.current() === this.short) void soon.then(work);
    else
      void this.short.run(async () => {
        await null;
        work();
      });
  }

  /** Cancels what is under way for this token; with `all`, everything short too. */
  abandon(token: number, all: boolean): void {
    const work = this.scopes.get(token);
    if (!work) {
      if (all) this.short.cancel();
      return;
    }
    work.tokens.delete(token);
    if (work.tokens.size === 0) work.scope.cancel();
  }

  private land(): void {
    this.count -= 1;
    this.landed();
  }
}
