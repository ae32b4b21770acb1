import { useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { useDocumentStore } from '../document/document-store.ts';
import { problemKey, useProblems } from '../document/problems-store.ts';
import { useRun } from '../run/run-store.ts';
import { useTheme } from '../ui/theme.ts';
import { inkOf, paintMoving, paintStill, type Scene, type Sight } from './far-painter.ts';
import type { GraphModel } from './graph-model.ts';
import type { Spot } from './moving.ts';
import { useFarPointer } from './use-far-pointer.ts';
import { useCrumb } from './view-store.ts';

interface FarLayerProps {
  model: GraphModel;
  /** The canvas as a whole: where pointers are caught. */
  area: RefObject<HTMLElement | null>;
  onOpen(id: string): void;
}

/** Painted beyond what is seen, so that panning shows it at once. In CSS pixels. */
const MARGIN = 240;
const IDLE_MS = 90;
const none: ReadonlyMap<string, Spot> = new Map();

/**
 * Every card of a large graph seen from afar, painted as one picture. Panning moves the picture; dragging paints only what is
 * dragged. The whole is painted anew when the zoom or the graph has changed and the pointer rests.
 */
export function FarLayer({ model, area, onOpen }: FarLayerProps) {
  const documents = useDocumentStore();
  const flow = useStoreApi();
  const { graph, prefix } = useCrumb();
  const still = useRef<HTMLCanvasElement>(null);
  const moving = useRef<HTMLCanvasElement>(null);
  const label = useRef<HTMLDivElement>(null);
  const dragged = useRef<ReadonlyMap<string, Spot>>(none);
  const repaint = useRef<{ still(): void; moving(): void }>({ still: () => {}, moving: () => {} });

  useEffect(() => {
    const [under, over] = [still.current, moving.current];
    if (under === null || over === null) return;
    let ink = inkOf(under);
    let painted: Sight | null = null;
    let frame = 0;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const scene = (): Scene => ({
      model,
      selection: documents.getState().selection,
      statusOf: (id) => (prefix === null ? undefined : useRun.getState().nodes.get(prefix + id)?.status),
      isBad: (id) =>
        useProblems
          .getState()
          .byNode.get(problemKey(graph, id))
          ?.some(({ severity }) => severity === 'error') ?? false,
      dragged: dragged.current,
    });
    const sight = (margin: number): Sight => {
      const { transform, width, height } = flow.getState();
      const [x, y, zoom] = transform;
      return {
        x: (-x - margin) / zoom,
        y: (-y - margin) / zoom,
        zoom,
        width: width + margin * 2,
        height: height + margin * 2,
      };
    };
    const place = () => {
      if (painted === null) return;
      const [x, y, zoom] = flow.getState().transform;
      under.style.transform = `translate(${painted.x * zoom + x}px, ${painted.y * zoom + y}px) scale(${zoom / painted.zoom})`;
    };
    const paintUnder = () => {
      frame = 0;
      clearTimeout(idle);
      idle = undefined;
      painted = sight(MARGIN);
      paintStill(under, scene(), painted, ink);
      place();
    };
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(paintUnder);
    };
    const later = () => {
      clearTimeout(idle);
      idle = setTimeout(soon, IDLE_MS);
    };
    repaint.current = {
      still: soon,
      moving: () => paintMoving(over, scene(), sight(0), ink),
    };
    paintUnder();
    let last = flow.getState();
    const stops = [
      flow.subscribe((state) => {
        const before = last;
        last = state;
        if (state.width !== before.width || state.height !== before.height) soon();
        if (state.transform === before.transform) return;
        place();
        if (dragged.current.size > 0) repaint.current.moving();
        const [x, y, zoom] = state.transform;
        const left = painted === null ? 0 : painted.x * zoom + x;
        const top = painted === null ? 0 : painted.y * zoom + y;
        // Beyond its margin the picture would end within sight.
        if (painted?.zoom === zoom && (Math.abs(left + MARGIN) > MARGIN || Math.abs(top + MARGIN) > MARGIN)) soon();
        else later();
      }),
      documents.subscribe((state, before) => {
        if (state.selection !== before.selection) soon();
      }),
      useRun.subscribe((state, before) => {
        if (state.nodes !== before.nodes) soon();
      }),
      useProblems.subscribe(soon),
      useTheme.subscribe(() => {
        // The theme's attribute is set by another listener, maybe a later one.
        requestAnimationFrame(() => {
          ink = inkOf(under);
          soon();
        });
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      cancelAnimationFrame(frame);
      clearTimeout(idle);
    };
  }, [model, documents, flow, graph, prefix]);

  useFarPointer({
    area,
    label,
    model,
    onOpen,
    onDrag(next) {
      const started = dragged.current.size === 0 && next.size > 0;
      const ended = dragged.current.size > 0 && next.size === 0;
      dragged.current = next;
      if (started || ended) repaint.current.still();
      repaint.current.moving();
    },
  });

  return (
    <div className="far-layer" aria-hidden>
      <canvas ref={still} className="far-still" />
      <canvas ref={moving} />
      <div ref={label} className="far-label" hidden />
    </div>
  );
}
