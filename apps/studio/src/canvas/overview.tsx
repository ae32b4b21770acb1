import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type PointerEvent, useEffect, useRef } from 'react';
import { useRun } from '../run/run-store.ts';
import { useTheme } from '../ui/theme.ts';
import { type Area, boundsOf } from './far.ts';
import { inkOf, surface } from './far-painter.ts';
import type { GraphModel } from './graph-model.ts';
import { useCrumb } from './view-store.ts';

const SIZE = { width: 168, height: 118 };
const PADDING = 8;

/** Canvas units to pixels of the overview, the whole graph in its middle. */
function scaleOf(bounds: Area): { factor: number; left: number; top: number } {
  const factor = Math.min(
    (SIZE.width - PADDING * 2) / Math.max(bounds.width, 600),
    (SIZE.height - PADDING * 2) / Math.max(bounds.height, 400),
  );
  return {
    factor,
    left: (SIZE.width - bounds.width * factor) / 2 - bounds.x * factor,
    top: (SIZE.height - bounds.height * factor) / 2 - bounds.y * factor,
  };
}

const tones = { running: 'run', succeeded: 'ok', failed: 'bad', awaiting: 'warn' } as const;

/** The whole graph in a corner, with the part that is seen; pressing or dragging goes there. Painted, so that its cost does not grow with every card. */
export function Overview({ model }: { model: GraphModel }) {
  const store = useStoreApi();
  const flow = useReactFlow();
  const { prefix } = useCrumb();
  const canvas = useRef<HTMLCanvasElement>(null);
  const seen = useRef<HTMLDivElement>(null);
  const scale = useRef(scaleOf({ x: 0, y: 0, width: 1, height: 1 }));

  useEffect(() => {
    const [element, frame] = [canvas.current, seen.current];
    if (element === null || frame === null) return;
    const boxes = model.nodes.map(({ id, position, width = 0, height = 0 }) => ({ id, ...position, width, height }));
    scale.current = scaleOf(boundsOf(boxes) ?? { x: 0, y: 0, width: 1, height: 1 });
    let ink = inkOf(element);
    const paint = () => {
      const context = surface(element, { x: 0, y: 0, zoom: 1, ...SIZE });
      if (context === null) return;
      const { factor, left, top } = scale.current;
      const { nodes } = useRun.getState();
      for (const { id, x, y, width, height } of boxes) {
        const status = prefix === null ? undefined : nodes.get(prefix + id)?.status;
        context.fillStyle = ink(
          status !== undefined && status in tones ? tones[status as keyof typeof tones] : 'border-strong',
        );
        context.fillRect(
          x * factor + left,
          y * factor + top,
          Math.max(1, width * factor),
          Math.max(1, height * factor),
        );
      }
    };
    const place = () => {
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      const { factor, left, top } = scale.current;
      frame.style.transform = `translate(${(-x / zoom) * factor + left}px, ${(-y / zoom) * factor + top}px)`;
      frame.style.width = `${(width / zoom) * factor}px`;
      frame.style.height = `${(height / zoom) * factor}px`;
    };
    // Typing changes the model with every key; the picture can wait for the next frame but one.
    const first = requestAnimationFrame(() => requestAnimationFrame(paint));
    place();
    let before = store.getState().transform;
    const stops = [
      store.subscribe(({ transform }) => {
        if (transform === before) return;
        before = transform;
        place();
      }),
      useRun.subscribe((state, old) => {
        if (state.nodes !== old.nodes) paint();
      }),
      useTheme.subscribe(() =>
        requestAnimationFrame(() => {
          ink = inkOf(element);
          paint();
        }),
      ),
    ];
    const resized = new ResizeObserver(place);
    const whole = element.closest('.react-flow');
    if (whole !== null) resized.observe(whole);
    return () => {
      cancelAnimationFrame(first);
      for (const stop of stops) stop();
      resized.disconnect();
    };
  }, [model, store, prefix]);

  const go = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons !== 1) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const { factor, left: dx, top: dy } = scale.current;
    void flow.setCenter((event.clientX - left - dx) / factor, (event.clientY - top - dy) / factor, {
      zoom: store.getState().transform[2],
    });
  };
  return (
    <div
      className="overview nopan nowheel"
      role="img"
      aria-label="Overview"
      style={SIZE}
      onPointerDown={go}
      onPointerMove={go}
    >
      <canvas ref={canvas} />
      <div ref={seen} className="overview-seen" />
    </div>
  );
}
