/** The candidate that is written most like `name`, if one is near enough to be what was meant. */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 3));
  let best: string | undefined;
  let least = limit + 1;
  for (const candidate of candidates) {
    const other = candidate.toLowerCase();
    if (Math.abs(other.length - wanted.length) >= least) continue;
    const changes = distance(wanted, other);
    if (changes < least) {
      least = changes;
      best = candidate;
    }
  }
  return best;
}

/** Sentence for a fix: what was probably meant, or what there is (the first twelve). */
export function meant(name: string, candidates: readonly string[]): string {
  const near = nearest(name, candidates);
  if (near !== undefined) return `Did you mean "${near}"?`;
  if (candidates.length === 0) return 'There is none to choose from.';
  const shown = candidates.slice(0, 12).join(', ');
  return `There is: ${shown}${candidates.length > 12 ? ', …' : ''}.`;
}

/** Letters to replace, leave out or put in to make one text of the other. */
export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
