import type { SpendingPoint } from '@cua-forge/spec/costs';
import { useMemo } from 'react';
import { costsApi } from '../api/costs-api.ts';
import { useLoad } from '../api/use-load.ts';
import { count, money } from '../ui/format.ts';
import { LoadFailed } from '../ui/states.tsx';
import { Plot } from './plot.tsx';
import { summed } from './spending.ts';

interface SpendingPlotProps {
  /** What to add up. */
  of: { batch: string } | { skill: string };
  /** Epoch milliseconds. */
  from: number;
  /** Read anew when this changes. */
  change: unknown;
  /** Dollars that may be spent, drawn as a line. */
  budget?: number | null;
}

const color = '--accent';

/** Tokens and money of model calls, added up over time. */
export function SpendingPlot({ of, from, change, budget = null }: SpendingPlotProps) {
  const key = JSON.stringify(of);
  const [load, again] = useLoad(
    () => costsApi.spendingOverTime({ ...of, from: new Date(from).toISOString(), points: 200 }),
    [key, from, change],
  );
  const points: readonly SpendingPoint[] = load.status === 'loaded' ? load.value.points : [];
  const sums = useMemo(() => summed(points, from), [points, from]);
  const tokens = useMemo(() => [{ label: 'tokens', color, values: sums.tokens }], [sums]);
  const usd = useMemo(
    () => [
      { label: 'dollars', color, values: sums.usd },
      ...(budget === null ? [] : [{ label: 'budget', color: '--warn', values: sums.times.map(() => budget) }]),
    ],
    [sums, budget],
  );
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  if (points.length === 0)
    return (
      <p className="hint">
        {load.status === 'loading' ? 'Loading…' : 'No model has been asked; rehearsals do not count.'}
      </p>
    );
  const spent = money(sums.unpriced > 0 ? null : (sums.usd.at(-1) ?? 0));
  return (
    <div className="pair-plots">
      <Plot
        times={sums.times}
        lines={tokens}
        height={150}
        summary={`${count(sums.tokens.at(-1) ?? 0)} tokens in all.`}
      />
      <div>
        <Plot times={sums.times} lines={usd} height={150} summary={`${spent} in all.`} />
        {sums.unpriced > 0 && <p className="hint">{sums.unpriced} calls have no known price and are not in the sum.</p>}
      </div>
    </div>
  );
}
