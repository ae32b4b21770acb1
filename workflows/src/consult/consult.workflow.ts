import { taskQueues } from '@cua-forge/spec/engine-names';
import type { Consultation, ConsultationAnswer } from '@cua-forge/spec/models-view';
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';

interface Activities {
  consultWorker(question: Consultation): Promise<ConsultationAnswer>;
}

/** Asked once: a second try would cost a second time, and whoever asks is there to ask again. */
const { consultWorker } = proxyActivities<Activities>({
  taskQueue: taskQueues.model,
  startToCloseTimeout: '20m',
  scheduleToStartTimeout: '1m',
  heartbeatTimeout: '30s',
  retry: { maximumAttempts: 1 },
  cancellationType: ActivityCancellationType.TRY_CANCEL,
});

/** Asks a worker something that belongs to no run: what models there are, whether one answers, what a node does with several. */
export function consult(question: Consultation): Promise<ConsultationAnswer> {
  return consultWorker(question);
}
