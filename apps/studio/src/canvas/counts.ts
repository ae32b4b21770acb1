/** `12/40 · 2 failed` out of the counts of a map. */
export function countsText(counts: Record<string, number>): string {
  const total = counts.total ?? counts.items ?? 0;
  const finished = counts.done ?? (counts.succeeded ?? 0) + (counts.failed ?? 0);
  const failed = counts.failed ?? 0;
  return `${finished}/${total}${failed > 0 ? ` · ${failed} failed` : ''}`;
}
