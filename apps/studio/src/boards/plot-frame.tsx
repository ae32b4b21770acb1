import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { useTheme } from '../ui/theme.ts';

/** What a plot is drawn with: a colour of the theme by its name (`--ok`), and how axes look. */
export interface PlotInk {
  color(name: string): string;
  axis: UPlot.Axis;
}

interface PlotFrameProps {
  data: UPlot.AlignedData;
  /** What is drawn, without the size; asked again when `looks` or the theme changes. */
  options(ink: PlotInk): Omit<UPlot.Options, 'width' | 'height'>;
  /** Changes with whatever makes `options` say something else: names, colours. */
  looks: string;
  /** What the plot shows, in words, for those who do not see it. */
  summary: string;
  height?: number;
}

/** A plot as wide as its place. New data moves the one that is there; other looks make another. */
export function PlotFrame({ data, options, looks, summary, height = 220 }: PlotFrameProps) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const theme = useTheme((state) => state.theme);
  const latest = useRef({ data, options });
  latest.current = { data, options };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a plot of the same looks is kept
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
    const { data: first, options: drawn } = latest.current;
    const made = new UPlot({ width: box.clientWidth, height, ...drawn({ color, axis }) }, first, box);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize({ width: box.clientWidth, height }));
    watch.observe(box);
    return () => {
      watch.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [theme, looks, height]);
  useEffect(() => plot.current?.setData(data), [data]);
  return <div ref={host} className="plot" role="img" aria-label={summary} />;
}
