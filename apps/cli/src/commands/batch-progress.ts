import type { BatchView } from '@cua-forge/spec/api/batches';

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

export const tokensText = (tokens: number): string =>
  tokens < 10_000
    ? `${Math.round(tokens)} tokens`
    : tokens < 1e6
      ? `${Math.round(tokens / 1_000)}k tokens`
      : `${(tokens / 1e6).toFixed(1)}M tokens`;

export const moneyText = (usd: number | null): string => (usd === null ? 'price unknown' : `$${usd.toFixed(4)}`);

/** Runs a minute: as the server measured it lately, else since `elapsedMs`. */
function paceOf({ counts, progress }: BatchView, elapsedMs: number): number | null {
  if (progress.perMinute !== null) return progress.perMinute;
  return counts.done === 0 ? null : (counts.done * 60_000) / Math.max(1, elapsedMs);
}

/** One line: state where it rests, counts, rate, time left, tokens and money. `elapsedMs` since somebody began to watch. */
export function progressText(view: BatchView, elapsedMs: number): string {
  const { batch, counts, usage, acceptance, rehearsed } = view;
  const { done, accepted, rejected, failed, cancelled } = counts;
  const parts = [`${done} of ${batch.count}`, `${accepted} accepted`];
  if (batch.state === 'paused') parts.unshift('paused');
  if (batch.state === 'budget') parts.unshift('budget used up');
  if (rejected > 0) parts.push(`${rejected} rejected`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (cancelled > 0) parts.push(`${cancelled} cancelled`);
  if (acceptance !== null) parts.push(`acceptance ${(acceptance * 100).toFixed(0)} %`);
  const pace = paceOf(view, elapsedMs);
  const moving = batch.state === 'queued' || batch.state === 'running';
  if (pace !== null && moving) {
    parts.push(pace >= 60 ? `${(pace / 60).toFixed(1)}/s` : `${pace.toFixed(1)}/min`);
    if (done < batch.count && pace > 0) parts.push(`${duration(((batch.count - done) * 60) / pace)} left`);
  }
  const tokens = usage.usage.input + usage.usage.output;
  if (tokens > 0) parts.push(tokensText(tokens), rehearsed ? 'rehearsal' : moneyText(usage.usd));
  return parts.join(' · ');
}
