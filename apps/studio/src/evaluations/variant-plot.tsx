import type { EvaluationView } from '@cua-forge/spec/evaluation-view';
import { useMemo } from 'react';
import UPlot from 'uplot';
import { PlotFrame, type PlotInk } from '../boards/plot-frame.tsx';
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

/** One bar for each variant: which part of its runs was accepted, rejected by a gate, and failed. */
export function VariantPlot({ variants }: { variants: readonly Variant[] }) {
  // The tallest is drawn first, so that the ones before it stand in front.
  const data = useMemo(
    (): UPlot.AlignedData => [variants.map((_, index) => index), ...stacked(variants).toReversed()],
    [variants],
  );
  const names = variants.map(variantText);
  const options = ({ color, axis }: PlotInk): Omit<UPlot.Options, 'width' | 'height'> => {
    const bars = UPlot.paths.bars?.({ size: [0.5, 120] });
    return {
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
    };
  };
  const summary = variants
    .map(({ batch: { counts, batch } }, index) => {
      const { accepted, rejected, failed } = counts;
      return `${names[index]}: of ${batch.count} runs ${accepted} accepted, ${rejected} rejected, ${failed} failed.`;
    })
    .join(' ');
  return <PlotFrame data={data} options={options} looks={names.join('\n')} summary={summary} />;
}
