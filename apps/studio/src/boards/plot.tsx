import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { dateTime } from '../ui/format.ts';
import { useTheme } from '../ui/theme.ts';

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
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const theme = useTheme((state) => state.theme);
  const data: UPlot.AlignedData = [[...times], ...lines.map((line) => [...line.values])];
  const latest = useRef(data);
  latest.current = data;
  const looks = lines.map(({ label, color }) => `${label}${color}`).join();

  // biome-ignore lint/correctness/useExhaustiveDependencies: lines of the same names and colours keep their plot
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
    const made = new UPlot(
      {
        width: box.clientWidth,
        height,
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
      },
      latest.current,
      box,
    );
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [theme, looks, height]);
  useEffect(() => plot.current?.setData([[...times], ...lines.map((line) => [...line.values])]), [times, lines]);
  return <div ref={host} className="plot" role="img" aria-label={summary} />;
}
