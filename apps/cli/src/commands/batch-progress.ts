import type { BatchView } from '@cua-forge/spec/api';

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
}

/** One line: counts, rate, time left. `elapsedMs` since the batch began. */
export function progressText(counts: BatchView['counts'], requested: number, elapsedMs: number): string {
  const { done, accepted, rejected, failed } = counts;
  const parts = [`${done} of ${requested}`, `${accepted} accepted`];
  if (rejected > 0) parts.push(`${rejected} rejected`);
  if (failed > 0) parts.push(`${failed} failed`);
  const rate = done / Math.max(0.001, elapsedMs / 1000);
  if (done > 0) {
    parts.push(rate >= 1 ? `${rate.toFixed(1)}/s` : `${(rate * 60).toFixed(1)}/min`);
    if (done < requested) parts.push(`${duration((requested - done) / rate)} left`);
  }
  return parts.join(' · ');
}
