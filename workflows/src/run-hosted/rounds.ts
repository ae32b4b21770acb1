import type { ExecuteBatch, MemberResult } from '@cua-forge/spec/engine';
import { CancellationScope, CancelledFailure, isCancellation } from '@temporalio/workflow';
import { local } from '../driver/activities.ts';
import type { Companions } from '../driver/driver.ts';

/** Members of all runs in one activity at most, unless a single run has more. */
const MEMBERS = 256;

interface Request {
  way: 'together' | 'alone' | 'recall';
  batch: ExecuteBatch;
  summary: string;
  resolve(results: MemberResult[]): void;
  reject(thrown: unknown): void;
}
/** Carried out: what to tell the run, or what to ask next. */
type Answer = { results: MemberResult[] } | { thrown: unknown } | { next: Request['way'] };

/**
 * Carries out what several runs ask for in rounds: all that has been asked for, together where that is possible, then nothing until every answer is there.
 * When each local activity of one workflow task ended is not in the history, so nothing here depends on it.
 */
export class Rounds implements Companions {
  private asked: Request[] = [];
  private readonly withdrawn = new Set<string>();
  private readonly scope = new CancellationScope({ cancellable: true });

  get isEmpty(): boolean {
    return this.asked.length === 0;
  }

  execute(batch: ExecuteBatch, summary: string): Promise<MemberResult[]> {
    return this.ask('together', batch, summary);
  }

  recall(batch: ExecuteBatch): Promise<MemberResult[]> {
    return this.ask('recall', batch, '');
  }

  /** What this run has asked for and has not been begun is answered as cancelled. */
  withdraw(runId: string): void {
    this.withdrawn.add(runId);
  }

  /** Cancels what is under way. */
  cancel(): void {
    this.scope.cancel();
  }

  /** One round, beside `also`. Answers whether the time of an activity ran out before all was begun. */
  async carryOut(also: Promise<void>): Promise<boolean> {
    const requests = this.asked.splice(0);
    const [answers] = await Promise.all([Promise.all(this.dispatch(requests)), also]);
    const flat = answers.flat();
    let unbegun = false;
    for (const [index, request] of requests.entries()) {
      const answer = flat[index];
      if (!answer || 'next' in answer) {
        const way = answer?.next ?? request.way;
        const attempts = way === 'alone' ? Math.max(1, request.batch.attempts - 1) : request.batch.attempts;
        this.asked.push({ ...request, way, batch: { ...request.batch, attempts } });
        unbegun ||= way === 'together';
      } else if ('results' in answer) request.resolve(answer.results);
      else request.reject(answer.thrown);
    }
    return unbegun;
  }

  private ask(way: Request['way'], batch: ExecuteBatch, summary: string): Promise<MemberResult[]> {
    return new Promise((resolve, reject) => {
      this.asked.push({ way, batch, summary, resolve, reject });
    });
  }

  /** Activities for all requests; their answers in a row are those to the requests, in order. */
  private dispatch(requests: readonly Request[]): Promise<Answer[]>[] {
    const all: Promise<Answer[]>[] = [];
    let group: Request[] = [];
    let members = 0;
    const close = (): void => {
      if (group.length > 0) all.push(this.together(group, members));
      group = [];
      members = 0;
    };
    for (const request of requests) {
      const { way, batch } = request;
      if (way === 'together' && !this.withdrawn.has(batch.runId)) {
        if (members + batch.members.length > MEMBERS) close();
        group.push(request);
        members += batch.members.length;
        continue;
      }
      close();
      all.push(this.byItself(request));
    }
    close();
    return all;
  }

  private async together(group: readonly Request[], members: number): Promise<Answer[]> {
    const summary = `${members} nodes of ${group.length} runs`;
    const input = { runs: group.map(({ batch }) => batch) };
    try {
      const results = await this.scope.run(() => local.executeHosted.executeWithOptions({ summary }, [input]));
      return group.map((_, index) => {
        const own = results[index];
        if (own === undefined) return { next: 'together' };
        return own === null ? { next: 'alone' } : { results: own };
      });
    } catch (thrown) {
      // It took too long in all, say: each run tries again for itself.
      return group.map(() => (isCancellation(thrown) ? { thrown } : { next: 'alone' }));
    }
  }

  private async byItself({ way, batch, summary }: Request): Promise<Answer[]> {
    try {
      if (way === 'recall') return [{ results: await local.recallMembers(batch) }];
      if (this.withdrawn.has(batch.runId)) throw new CancelledFailure('The run was cancelled.');
      return [{ results: await this.scope.run(() => local.executeNodes.executeWithOptions({ summary }, [batch])) }];
    } catch (thrown) {
      return [{ thrown }];
    }
  }
}
