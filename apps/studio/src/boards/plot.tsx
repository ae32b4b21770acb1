import { useMemo } from 'react';
import UPlot from 'uplot';
import { dateTime } from '../ui/format.ts';
import { PlotFrame, type PlotInk } from './plot-frame.tsx';

export interface PlotLine {
  label: string;
  /** Name of a colour of the theme, such as `--ok`. */
  color: string;
  /** One value for each point in time. */
  values: readonly number[];
}

interface PlotProps {
  /** Epoch seconds, ascending. */
  times: readonly number[];
  lines: readonly PlotLine[];
  /** What the plot shows, in words, for those who do not see it. */
  summary: string;
  height?: number;
}

const withSeconds = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });
const withMinutes = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });
const withDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'short', timeStyle: 'short' });

/** How moments (epoch seconds) that stand so far apart are written. */
function momentText(moments: readonly number[]): (moment: number) => string {
  const span = (moments.at(-1) ?? 0) - (moments[0] ?? 0);
  const format = span < 600 ? withSeconds : span < 86_400 ? withMinutes : withDay;
  return (moment) => format.format(moment * 1000);
}

/** Lines over time. The pointer reads values off; the summary says the last ones. */
export function Plot({ times, lines, summary, height = 220 }: PlotProps) {
  const data = useMemo((): UPlot.AlignedData => [[...times], ...lines.map((line) => [...line.values])], [times, lines]);
  const options = ({ color, axis }: PlotInk): Omit<UPlot.Options, 'width' | 'height'> => ({
    axes: [
      { ...axis, space: 90, values: (_plot, splits) => splits.map(momentText(splits)) },
      { ...axis, size: 46 },
    ],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.08)] } },
    series: [
      { label: 'at', value: (_plot, at) => (at === null ? '' : dateTime(at * 1000)) },
      ...lines.map((line) => ({
        label: line.label,
        stroke: color(line.color),
        value: (_plot: UPlot, value: number | null) => (value === null ? '' : String(value)),
        width: 2,
        points: { show: false },
        ...(UPlot.paths.stepped === undefined ? {} : { paths: UPlot.paths.stepped({ align: 1 }) }),
      })),
    ],
  });
  const looks = lines.map(({ label, color }) => `${label}${color}`).join();
  return <PlotFrame data={data} options={options} looks={looks} summary={summary} height={height} />;
}
