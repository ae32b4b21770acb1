import 'uplot/dist/uPlot.min.css';
import type { EvaluationView } from '@cua-forge/spec/evaluation-view';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { useTheme } from '../ui/theme.ts';
import { variantText } from './variant-text.ts';

type Variant = EvaluationView['variants'][number];

/** What became of runs, from the bottom of a bar to its top. */
const layers = [
  { name: 'accepted', color: '--ok' },
  { name: 'rejected', color: '--warn' },
  { name: 'failed', color: '--bad' },
] as const;

/** Heights of the layers, each with those below it, in percent of a variant's seeds. */
function stacked(variants: readonly Variant[]): number[][] {
  return layers.map((_, top) =>
    variants.map(({ batch: { counts, batch } }) =>
      layers.slice(0, top + 1).reduce((sum, { name }) => sum + (counts[name] / batch.count) * 100, 0),
    ),
  );
}

const HEIGHT = 220;

/** One bar for each variant: which part of its runs was accepted, rejected by a gate, and failed. */
export function VariantPlot({ variants }: { variants: readonly Variant[] }) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const theme = useTheme((state) => state.theme);
  const heights = stacked(variants);
  // The tallest is drawn first, so that the ones before it stand in front.
  const data: UPlot.AlignedData = [variants.map((_, index) => index), ...heights.toReversed()];
  const latest = useRef(data);
  latest.current = data;
  const names = variants.map(variantText);
  const looks = names.join('\n');

  // biome-ignore lint/correctness/useExhaustiveDependencies: variants of the same names keep their plot
  useEffect(() => {
    const box = host.current;
    if (box === null) return;
    const style = getComputedStyle(box);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--muted'),
      grid: { stroke: color('--border'), width: 1 },
      ticks: { stroke: color('--border'), width: 1 },
      font: `11px ${color('--font')}`,
    };
    const bars = UPlot.paths.bars?.({ size: [0.5, 120] });
    const made = new UPlot(
      {
        width: box.clientWidth,
        height: HEIGHT,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false, range: () => [-0.6, names.length - 0.4] }, y: { range: () => [0, 100] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            splits: () => names.map((_, index) => index),
            values: (_plot, splits) => splits.map((split) => names[split] ?? ''),
          },
          { ...axis, size: 56, values: (_plot, splits) => splits.map((split) => `${split} %`) },
        ],
        series: [
          {},
          ...layers.toReversed().map(({ name, color: fill }) => ({
            label: name,
            fill: color(fill),
            stroke: color(fill),
            width: 0,
            points: { show: false },
            ...(bars === undefined ? {} : { paths: bars }),
          })),
        ],
      },
      latest.current,
      box,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height: HEIGHT }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [theme, looks]);
  useEffect(() => plot.current?.setData(latest.current));
  const summary = variants
    .map(({ batch: { counts, batch } }, index) => {
      const { accepted, rejected, failed } = counts;
      return `${names[index]}: of ${batch.count} runs ${accepted} accepted, ${rejected} rejected, ${failed} failed.`;
    })
    .join(' ');
  return <div ref={host} className="plot" role="img" aria-label={summary} />;
}
