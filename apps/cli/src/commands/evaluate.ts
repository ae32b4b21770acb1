import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { EvaluationView } from '@cua-forge/spec/evaluation-view';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import { budgetOf, type GivenBudget } from './batch.ts';
import { moneyText, tokensText } from './batch-progress.ts';
import { documentVersion } from './document-version.ts';
import { exitCodes } from './exit-code.ts';
import { givenInputs } from './given-inputs.ts';
import { type Output, printResult, tableText } from './output.ts';
import { sayWhoIsMissing, silenceMs } from './say-who-is-missing.ts';

export interface EvaluateOptions {
  document: string;
  revisions: readonly RevisionChoice[];
  /** `as-is` stands for the models that the document names. */
  models: readonly string[];
  count: number;
  seed: number;
  window: number | undefined;
  /** Of each variant. */
  budget: GivenBudget;
  inputs: ReadonlyMap<string, string>;
  prove: boolean;
  wait: boolean;
  signal: AbortSignal;
}

const pollMs = 1_000;
const ended = ({ variants }: EvaluationView): boolean =>
  variants.every(({ batch: { batch } }) => !['queued', 'running'].includes(batch.state));

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;

const variantText = ({ revision, model }: { revision: number; model: string | null }): string =>
  model === null ? `revision ${revision}` : `revision ${revision}, ${model}`;

/** Variants beside each other, and the seeds that they do not agree on. */
export function evaluationText({ evaluation, variants, seeds }: EvaluationView): string {
  const table = tableText(
    [
      'variant',
      'batch',
      'accepted',
      'rejected',
      'failed',
      'acceptance',
      '95 %',
      'tokens each',
      'money each',
      'failures',
    ],
    variants.map((variant) => {
      const { counts, acceptance, perAccepted, rehearsed, failures, batch } = variant.batch;
      const none = rehearsed ? 'rehearsal' : '–';
      return [
        variantText(variant),
        batch.state,
        `${counts.accepted} of ${batch.count}`,
        String(counts.rejected),
        String(counts.failed),
        acceptance === null ? none : percent(acceptance),
        variant.between === null ? '' : variant.between.map(percent).join('–'),
        perAccepted === null ? none : tokensText(perAccepted.tokens),
        perAccepted === null ? none : moneyText(perAccepted.usd),
        Object.entries(failures)
          .map(([code, times]) => `${times} × ${code}`)
          .join(', '),
      ];
    }),
  );
  const unlike = seeds.filter(({ runs }) => new Set(runs.map(({ fate }) => fate)).size > 1);
  const lines = unlike
    .slice(0, 20)
    .map(({ seed, runs }) => `  seed ${seed}: ${runs.map(({ fate }) => fate).join(' / ')}`);
  const more = unlike.length > lines.length ? [`  and ${unlike.length - lines.length} more`] : [];
  const head = `${unlike.length} of ${seeds.length} seeds came out differently.`;
  return [`${evaluation.title} (${evaluation.id})`, '', table, '', head, ...lines, ...more].join('\n');
}

function progressText({ variants, evaluation }: EvaluationView): string {
  const done = variants.reduce((sum, { batch }) => sum + batch.counts.done, 0);
  const left = variants.map(({ batch }) => batch.progress.secondsLeft).filter((seconds) => seconds !== null);
  const rate = variants.reduce((sum, { batch }) => sum + (batch.progress.perMinute ?? 0), 0);
  const parts = [`${done} of ${variants.length * evaluation.count} runs`];
  if (rate > 0) parts.push(`${rate.toFixed(1)}/min`);
  if (left.length > 0) parts.push(`${Math.ceil(Math.max(...left))} s left`);
  return parts.join(' · ');
}

/** Follows an evaluation until its batches have ended or rest. Ctrl+C cancels it. */
async function follow(api: ApiClient, output: Output, id: string, signal: AbortSignal): Promise<EvaluationView> {
  let cancelled = false;
  let [seen, since] = [-1, performance.now()];
  for (;;) {
    const view = await api.evaluation(id);
    output.reporter.update(progressText(view));
    if (ended(view)) return view;
    const done = view.variants.reduce((sum, { batch }) => sum + batch.counts.done, 0);
    if (done !== seen) [seen, since] = [done, performance.now()];
    else if (performance.now() - since > silenceMs) {
      since = performance.now();
      await sayWhoIsMissing(api, output.reporter);
    }
    if (signal.aborted && !cancelled) {
      cancelled = true;
      output.reporter.line('Cancelling the evaluation');
      await api.cancelEvaluation(id);
    }
    await sleep(pollMs);
  }
}

/** Runs versions or models of a document on the same seeds, and sets what came of them side by side. */
export async function evaluateCommand(options: EvaluateOptions, api: ApiClient, output: Output): Promise<number> {
  const { document: documentId, revisions, models, count, seed, window, prove, signal } = options;
  const document = await documentVersion(api, documentId, revisions[0] ?? 'published');
  const { id, variants } = await api.startEvaluation({
    ...{ documentId, revisions: [...revisions], count, seed, prove },
    models: models.length === 0 ? [null] : models.map((model) => (model === 'as-is' ? null : model)),
    inputs: await givenInputs(api, document, new Map(options.inputs)),
    idempotencyKey: randomUUID(),
    ...(window === undefined ? {} : { window }),
    ...budgetOf(options.budget),
  });
  output.reporter.line(`Evaluation ${id}: ${variants.map(variantText).join('; ')}; ${count} seeds each`);
  if (!options.wait) {
    printResult(output, await api.evaluation(id), ({ evaluation }) => `forge evaluations show ${evaluation.id}`);
    return exitCodes.done;
  }
  const view = await follow(api, output, id, signal);
  printResult(output, view, evaluationText);
  return view.variants.every(({ batch }) => batch.batch.state === 'succeeded') ? exitCodes.done : exitCodes.failed;
}
