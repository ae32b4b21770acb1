import type { Member, MemberResult, Slot } from '@cua-forge/spec/engine';
import { taskQueues } from '@cua-forge/spec/engine-names';
import type { PlanNode, PlanPolicy } from '@cua-forge/spec/plan';
import type { ActivityOptions } from '@temporalio/workflow';
import { ActivityCancellationType } from '@temporalio/workflow';
import type { Event, Execution } from '../interpreter/state.ts';

/** An execution as the worker takes it. */
export function memberOf(node: PlanNode, execution: Execution): Member {
  const { key, token, round, attempt, params, inputs, feedback, bypassMemo } = execution;
  const { kind, version, title } = node;
  const ports = Object.entries(node.inputs);
  return {
    ...{ key, token, round, attempt, kind, version, title, params, inputs, feedback, bypassMemo },
    required: ports.flatMap(([port, input]) => (input.required ? [port] : [])),
    multiple: ports.flatMap(([port, input]) => (input.multiple ? [port] : [])),
  };
}

export const activityOptions = (policy: PlanPolicy, summary: string): ActivityOptions => ({
  taskQueue: taskQueues[policy.queue],
  startToCloseTimeout: policy.timeoutMs,
  heartbeatTimeout: policy.heartbeatMs,
  retry: {
    maximumAttempts: policy.attempts,
    initialInterval: policy.backoffMs,
    maximumInterval: '60s',
    backoffCoefficient: 2,
  },
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  summary,
});

/** Line of the Temporal UI. */
export function summaryOf(members: readonly Member[]): string {
  const [first] = members;
  if (!first) return '';
  if (members.length > 1) return `${members.length} nodes: ${first.title}, …`;
  const { title, key, round, attempt } = first;
  return `${title} (${key}${round > 1 ? `, round ${round}` : ''}${attempt > 1 ? `, attempt ${attempt}` : ''})`.slice(
    0,
    190,
  );
}

/** What the interpreter is told of a batch: results in the order of the members, then those handed back unexecuted. */
export function eventsOf(members: readonly Pick<Member, 'key' | 'token'>[], results: readonly MemberResult[]): Event[] {
  const byToken = new Map(results.map((result) => [result.token, result]));
  const ended: Event[] = [];
  const unexecuted: Event[] = [];
  for (const { key, token } of members) {
    const result = byToken.get(token);
    if (result) ended.push({ type: 'finished', key, token, result: outcomeOf(result) });
    else unexecuted.push({ type: 'finished', key, token, result: { status: 'unexecuted' } });
  }
  return [...ended, ...unexecuted];
}

function outcomeOf({ failure, outputs, verdict }: MemberResult): Extract<Event, { type: 'finished' }>['result'] {
  if (failure?.code === 'node.cancelled') return { status: 'cancelled' };
  if (failure) return { status: 'failed', failure };
  return { status: 'succeeded', outputs: withoutPreviews(outputs ?? {}), ...(verdict ? { verdict } : {}) };
}

/** Previews are for the history; the state stays small without them. */
function withoutPreviews(outputs: NonNullable<MemberResult['outputs']>): Record<string, Slot> {
  return Object.fromEntries(
    Object.entries(outputs).map(([port, { preview, ...ref }]) => {
      void preview;
      return [port, ref];
    }),
  );
}
