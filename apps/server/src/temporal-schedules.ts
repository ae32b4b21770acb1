import { scheduledBatchId, taskQueues, workflowTypes } from '@cua-forge/spec/engine';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Overlap, ScheduleRecord, ScheduleSituation, Timing } from '@cua-forge/spec/schedule';
import { sha256 } from '@cua-forge/store/hash';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
  type ScheduleSpec,
} from '@temporalio/client';

/** Missed turns that are made up for when Temporal was away: those of the last minutes. */
const catchupWindow = '10 minutes';

const policyOf: Record<Overlap, ScheduleOverlapPolicy> = {
  skip: ScheduleOverlapPolicy.SKIP,
  wait: ScheduleOverlapPolicy.BUFFER_ONE,
  allow: ScheduleOverlapPolicy.ALLOW_ALL,
};

/** What the server asks of the engine about schedules. All but `create` and `describe` throw ForgeError `not-found` for one that is not there. */
export interface EngineSchedules {
  /** Does nothing when it is there already. @throws ForgeError `input.invalid` when the engine does not take the times */
  create(record: ScheduleRecord, paused: boolean): Promise<void>;
  /** Takes over title, times and what happens when two meet. @throws ForgeError `input.invalid` when the engine does not take the times */
  update(record: ScheduleRecord): Promise<void>;
  pause(id: string, paused: boolean): Promise<void>;
  /** Begins a batch now, whatever its times say and though it is paused. */
  trigger(id: string): Promise<void>;
  delete(id: string): Promise<void>;
  /** Null when the engine has no such schedule. */
  describe(id: string): Promise<ScheduleSituation | null>;
}

/** In Temporal's own form; the id of a schedule there, and of its workflows. */
const nameOf = (id: string): string => `schedule/${id}`;

const specOf = (timing: Timing): ScheduleSpec =>
  'cron' in timing
    ? { cronExpressions: [timing.cron], timezone: timing.timeZone }
    : { intervals: [{ every: timing.everySeconds * 1_000 }] };

const actionOf = (id: string) => ({
  type: 'startWorkflow' as const,
  workflowType: workflowTypes.runScheduled,
  workflowId: nameOf(id),
  taskQueue: taskQueues.workflows,
  args: [{ scheduleId: id }],
});

/** What the client throws, or when it is its way to say that the engine does not take the times, that in words. */
function timesRefused(thrown: unknown): unknown {
  if (!(thrown instanceof TypeError)) return thrown;
  const refused = thrown.message.replace(/\.$/, '');
  return new ForgeError('input.invalid', `Temporal does not take these times: ${refused}.`, {
    fix: 'Correct "timing": minute hour day month weekday, for example "30 6 * * 1-5".',
    cause: thrown,
  });
}

/** Milliseconds that an answer may take: Temporal keeps each schedule in a workflow of its own, and asks that. */
const patienceMs = 20_000;

export function temporalSchedules(
  client: Client,
  call: <T>(work: () => Promise<T>, milliseconds?: number) => Promise<T>,
): EngineSchedules {
  const withHandle = <T>(id: string, act: (handle: ReturnType<Client['schedule']['getHandle']>) => Promise<T>) =>
    call(async () => {
      try {
        return await act(client.schedule.getHandle(nameOf(id)));
      } catch (cause) {
        if (!(cause instanceof ScheduleNotFoundError)) throw cause;
        throw new ForgeError('not-found', `Temporal has no schedule "${id}".`, {
          fix: 'Delete it and make it again.',
          cause,
        });
      }
    }, patienceMs);

  return {
    create: (record, paused) =>
      call(async () => {
        try {
          await client.schedule.create({
            scheduleId: nameOf(record.id),
            spec: specOf(record.timing),
            action: actionOf(record.id),
            policies: { overlap: policyOf[record.overlap], catchupWindow },
            state: { paused },
            memo: { title: record.title },
          });
        } catch (thrown) {
          if (thrown instanceof ScheduleAlreadyRunning) return;
          throw timesRefused(thrown);
        }
      }, patienceMs),

    update: (record) =>
      withHandle(record.id, async (handle) => {
        try {
          await handle.update((before) => ({
            state: before.state,
            action: actionOf(record.id),
            spec: specOf(record.timing),
            policies: { overlap: policyOf[record.overlap], catchupWindow },
          }));
        } catch (thrown) {
          throw timesRefused(thrown);
        }
      }),

    pause: (id, paused) => withHandle(id, (handle) => (paused ? handle.pause() : handle.unpause())),
    // Whoever asks for it now wants it now: it waits for none that is running.
    trigger: (id) => withHandle(id, (handle) => handle.trigger(ScheduleOverlapPolicy.ALLOW_ALL)),
    delete: async (id) => {
      await withHandle(id, (handle) => handle.delete());
    },

    describe: (id) =>
      call(async () => {
        try {
          const { state, info } = await client.schedule.getHandle(nameOf(id)).describe();
          return {
            paused: state.paused,
            next: info.nextActionTimes.map((time) => time.getTime()),
            recent: info.recentActions.toReversed().map(({ takenAt, action }) => ({
              at: takenAt.getTime(),
              batchId: scheduledBatchId(action.workflow.workflowId, sha256),
            })),
            running: info.runningActions.length,
          };
        } catch (thrown) {
          if (thrown instanceof ScheduleNotFoundError) return null;
          throw thrown;
        }
      }, patienceMs),
  };
}
