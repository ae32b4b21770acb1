import type { useReactFlow } from '@xyflow/react';
import { movement } from '../ui/motion.ts';
import { boundsOf, isMany } from './far.ts';
import type { GraphModel } from './graph-model.ts';
import { boxesOf } from './moving.ts';

type Flow = Pick<ReturnType<typeof useReactFlow>, 'fitBounds' | 'setCenter' | 'getViewport' | 'setViewport'>;

/** Size of the canvas in CSS pixels. */
const sizeOfCanvas = () => document.querySelector('.canvas')?.getBoundingClientRect();

/** Going there in steps would mount all that lies between. */
const glide = (model: GraphModel, duration: number) => (isMany(model.nodes.length) ? {} : movement(duration));

/** Shows the whole graph, no larger than life. */
export function fitAll(flow: Flow, model: GraphModel): void {
  const bounds = boundsOf(boxesOf(model));
  const size = sizeOfCanvas();
  if (bounds === undefined || size === undefined) return;
  const padding = 0.12;
  const zoom = Math.max(
    0.05,
    Math.min(1, size.width / (bounds.width * (1 + padding)), size.height / (bounds.height * (1 + padding))),
  );
  void flow.setViewport(
    {
      x: (size.width - bounds.width * zoom) / 2 - bounds.x * zoom,
      y: (size.height - bounds.height * zoom) / 2 - bounds.y * zoom,
      zoom,
    },
    glide(model, 200),
  );
}

/** Brings one card to the middle, near enough to be read. */
export function goNear(flow: Flow, model: GraphModel, id: string): void {
  const box = boxesOf(model).find((each) => each.id === id);
  if (box === undefined) return;
  void flow.setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom: 1, ...glide(model, 250) });
}

/** Pans so far that the card is seen; the zoom stays. */
export function bringIntoView(flow: Flow, model: GraphModel, id: string): void {
  const box = boxesOf(model).find((each) => each.id === id);
  const area = sizeOfCanvas();
  if (box === undefined || area === undefined) return;
  const { x, y, zoom } = flow.getViewport();
  const [left, top] = [box.x * zoom + x, box.y * zoom + y];
  const by = (low: number, high: number, size: number) =>
    low < 20 ? 20 - low : high > size - 20 ? size - 20 - high : 0;
  const dx = by(left, left + box.width * zoom, area.width);
  const dy = by(top, top + box.height * zoom, area.height);
  if (dx !== 0 || dy !== 0) void flow.setViewport({ x: x + dx, y: y + dy, zoom }, movement(150));
}
