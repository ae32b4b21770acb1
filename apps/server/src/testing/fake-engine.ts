import type { ApproveCommand, RetryCommand } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Consultation, ConsultationAnswer } from '@cua-forge/spec/models-view';
import type { ScheduleRecord } from '@cua-forge/spec/schedule';
import type { BatchRecord, RunRecord } from '@cua-forge/spec/store-port';
import type { EngineClient, WorkflowSituation } from '../engine-client.ts';

/** An engine that remembers what it was asked, and whose workflows end when a test says so. */
export class FakeEngine implements EngineClient {
  readonly situations = new Map<string, WorkflowSituation>();
  readonly started: { runId: string; epoch: number; retry: readonly string[] }[] = [];
  readonly hosts: { workflowId: string; runs: string[] }[] = [];
  readonly cancelledHosted: { workflowId: string; runId: string }[] = [];
  /** Batches whose workflow was started, or told to look. */
  readonly batches: string[] = [];
  readonly retries: { workflowId: string; command: RetryCommand }[] = [];
  readonly approvals: { workflowId: string; command: ApproveCommand }[] = [];
  readonly cancelled: string[] = [];
  readonly childrenCancelled: string[] = [];
  readonly questions: Consultation[] = [];
  /** What a worker says to each question. */
  answer: ConsultationAnswer | null = null;
  reachable = true;
  readonly operations = {
    queues: async () => {
      this.#answer();
      return [];
    },
    pendingProblems: async () => ({ examined: 0, open: 0, problems: [] }),
    builds: async () => [],
    setCurrentBuild: async () => undefined,
  };
  /** Schedules by id; true for one that is paused. */
  readonly scheduled = new Map<string, boolean>();
  readonly triggered: string[] = [];
  readonly schedules = {
    create: async ({ id }: ScheduleRecord, paused: boolean) => {
      this.#answer();
      this.scheduled.set(id, paused);
    },
    update: async () => this.#answer(),
    pause: async (id: string, paused: boolean) => {
      this.#answer();
      this.scheduled.set(id, paused);
    },
    trigger: async (id: string) => {
      this.#answer();
      this.triggered.push(id);
    },
    delete: async (id: string) => {
      this.#answer();
      this.scheduled.delete(id);
    },
    describe: async (id: string) => {
      this.#answer();
      const paused = this.scheduled.get(id);
      return paused === undefined ? null : { paused, next: [], recent: [], running: 0 };
    },
  };
  /** Throws when a workflow is started, as a connection that breaks between two calls does. */
  breaksOnStart = false;

  end(workflowId: string, situation: Partial<WorkflowSituation>): void {
    const before = this.situations.get(workflowId);
    this.situations.set(workflowId, {
      status: 'completed',
      detail: '',
      epoch: before?.epoch ?? null,
      result: null,
      ...situation,
    });
  }

  async startRun(run: RunRecord, retry: readonly string[]): Promise<void> {
    this.#answer();
    if (this.breaksOnStart) throw unreachable();
    this.started.push({ runId: run.id, epoch: run.epoch, retry });
    this.situations.set(run.workflowId, { status: 'open', detail: '', epoch: run.epoch, result: null });
  }

  async startHost(workflowId: string, runs: readonly RunRecord[]): Promise<void> {
    this.#answer();
    if (this.breaksOnStart) throw unreachable();
    this.hosts.push({ workflowId, runs: runs.map(({ id }) => id) });
    this.situations.set(workflowId, { status: 'open', detail: '', epoch: 1, result: null });
  }

  async startBatch(batch: BatchRecord): Promise<void> {
    this.#answer();
    if (this.breaksOnStart) throw unreachable();
    this.batches.push(batch.id);
    this.situations.set(batch.workflowId, { status: 'open', detail: '', epoch: 1, result: null });
  }

  async retry(workflowId: string, command: RetryCommand): Promise<{ reset: string[] }> {
    this.#open(workflowId);
    this.retries.push({ workflowId, command });
    return { reset: command.targets };
  }

  async approve(workflowId: string, command: ApproveCommand): Promise<void> {
    this.#open(workflowId);
    this.approvals.push({ workflowId, command });
  }

  async cancel(workflowId: string): Promise<void> {
    this.#open(workflowId);
    this.cancelled.push(workflowId);
  }

  async cancelHosted(workflowId: string, runId: string): Promise<void> {
    this.#open(workflowId);
    this.cancelledHosted.push({ workflowId, runId });
  }

  async describe(workflowId: string): Promise<WorkflowSituation> {
    this.#answer();
    return this.situations.get(workflowId) ?? { status: 'not-found', detail: '', epoch: null, result: null };
  }

  async *listOpen(): AsyncGenerator<string> {
    this.#answer();
    for (const [id, { status }] of this.situations) if (status === 'open') yield id;
  }

  async cancelChildren(workflowId: string): Promise<number> {
    this.#answer();
    this.childrenCancelled.push(workflowId);
    return 0;
  }

  async consult(question: Consultation): Promise<ConsultationAnswer> {
    this.#answer();
    this.questions.push(question);
    if (this.answer === null) throw new ForgeError('temporal.unreachable', 'No worker answered.');
    return this.answer;
  }

  async health(): Promise<{ reachable: boolean; detail: string; workers: { queue: string; pollers: number }[] }> {
    return this.reachable
      ? { reachable: true, detail: '', workers: [{ queue: 'forge', pollers: 1 }] }
      : { reachable: false, detail: unreachable().message, workers: [] };
  }

  async close(): Promise<void> {}

  #answer(): void {
    if (!this.reachable) throw unreachable();
  }

  #open(workflowId: string): void {
    this.#answer();
    if (this.situations.get(workflowId)?.status !== 'open')
      throw new ForgeError('run.state', 'The workflow is closed.');
  }
}

const unreachable = () =>
  new ForgeError('temporal.unreachable', 'Temporal does not answer at nowhere:1.', { fix: 'Start it.' });
