import { useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import { onGrid } from '../document/arrange.ts';
import { useDocumentStore } from '../document/document-store.ts';
import { boxAt, boxesIn } from './far.ts';
import { titleOf } from './far-painter.ts';
import type { GraphModel } from './graph-model.ts';
import { boxesOf, moveCommand, type Spot, withMembers } from './moving.ts';
import { useCrumb, useView } from './view-store.ts';

interface FarPointer {
  area: RefObject<HTMLElement | null>;
  label: RefObject<HTMLElement | null>;
  model: GraphModel;
  onOpen(id: string): void;
  /** Places of what is dragged; empty when nothing is. */
  onDrag(places: ReadonlyMap<string, Spot>): void;
}

/** Pixels that a pressed pointer moves before it drags. */
const SLACK = 3;
const nothing: ReadonlyMap<string, Spot> = new Map();

interface Press {
  id: string;
  x: number;
  y: number;
  dragging: boolean;
}

/**
 * Select, drag, catch with a rectangle and open cards that are only painted. Presses beside a card stay with the canvas, which
 * pans. Listeners catch events on their way down: the canvas below would take each press for a pan.
 */
export function useFarPointer(options: FarPointer): void {
  const documents = useDocumentStore();
  const flow = useStoreApi();
  const { graph } = useCrumb();
  const latest = useRef(options);
  latest.current = options;
  const { area } = options;

  useEffect(() => {
    const element = area.current;
    if (element === null) return;
    let press: Press | null = null;
    let corner: { x: number; y: number } | null = null;
    let places: ReadonlyMap<string, Spot> = nothing;
    let swallowClick = false;

    const at = (event: MouseEvent): Spot => {
      const { left, top } = element.getBoundingClientRect();
      const [x, y, zoom] = flow.getState().transform;
      return { x: (event.clientX - left - x) / zoom, y: (event.clientY - top - y) / zoom };
    };
    // A press that was captured ends on the canvas as a whole.
    const onPane = (event: Event) =>
      event.target === element ||
      (event.target instanceof Element && event.target.closest('.react-flow__pane') !== null);
    const hit = (event: MouseEvent) => {
      if (!onPane(event)) return undefined;
      const { model } = latest.current;
      const boxes = boxesOf(model);
      // Cards lie above frames, whose middle belongs to the canvas.
      const cards = boxes.slice(0, model.nodes.length);
      return boxAt(cards, at(event)) ?? boxAt(boxes.slice(model.nodes.length), at(event));
    };
    const hold = (event: Event) => {
      event.stopPropagation();
      event.preventDefault();
    };
    const end = () => {
      press = null;
      corner = null;
      places = nothing;
      latest.current.onDrag(nothing);
    };

    const onPointerDown = (event: PointerEvent) => {
      swallowClick = false;
      if (event.button !== 0) return;
      const box = hit(event);
      if (box === undefined || event.shiftKey) {
        corner = event.shiftKey && onPane(event) ? at(event) : null;
        return;
      }
      event.stopPropagation();
      const { selection, select } = documents.getState();
      if (event.ctrlKey || event.metaKey) {
        const chosen = new Set(selection);
        if (!chosen.delete(box.id)) chosen.add(box.id);
        select(chosen);
      } else if (!selection.has(box.id)) select([box.id]);
      press = { id: box.id, x: event.clientX, y: event.clientY, dragging: false };
      element.setPointerCapture(event.pointerId);
    };
    const onPointerMove = (event: PointerEvent) => {
      if (press === null) {
        showLabel(event);
        return;
      }
      event.stopPropagation();
      if (documents.getState().readOnly) return;
      const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
      if (!press.dragging && Math.hypot(dx, dy) < SLACK) return;
      press.dragging = true;
      hideLabel();
      const { zoom, model } = { zoom: flow.getState().transform[2], model: latest.current.model };
      const { selection } = documents.getState();
      const { snapping } = useView.getState();
      const moves = new Map<string, Spot>();
      for (const { id, position } of [...model.nodes, ...model.annotations]) {
        if (!selection.has(id)) continue;
        const [x, y] = [position.x + dx / zoom, position.y + dy / zoom];
        moves.set(id, snapping ? { x: onGrid(x), y: onGrid(y) } : { x, y });
      }
      places = withMembers(model, moves);
      latest.current.onDrag(places);
    };
    const onPointerUp = (event: PointerEvent) => {
      if (corner !== null) {
        const to = at(event);
        const rectangle = {
          x: Math.min(corner.x, to.x),
          y: Math.min(corner.y, to.y),
          width: Math.abs(to.x - corner.x),
          height: Math.abs(to.y - corner.y),
        };
        corner = null;
        const caught = boxesIn(boxesOf(latest.current.model), rectangle).map(({ id }) => id);
        // After the canvas has ended its own selection, which knows none of these cards.
        setTimeout(() => documents.getState().select(caught));
        swallowClick = true;
        return;
      }
      if (press === null) return;
      event.stopPropagation();
      swallowClick = true;
      const { model } = latest.current;
      const command = places.size === 0 ? null : moveCommand(documents.getState().document, graph, model, places);
      end();
      if (command !== null) documents.getState().perform(command);
    };
    const onPointerCancel = () => end();
    const onMouseDown = (event: MouseEvent) => {
      if (press !== null) hold(event);
    };
    const onClick = (event: MouseEvent) => {
      if (swallowClick && onPane(event)) event.stopPropagation();
      swallowClick = false;
    };
    const onDoubleClick = (event: MouseEvent) => {
      const box = hit(event);
      if (box === undefined) return;
      hold(event);
      latest.current.onOpen(box.id);
    };
    const showLabel = (event: PointerEvent) => {
      const label = latest.current.label.current;
      if (label === null) return;
      const box = event.buttons === 0 ? hit(event) : undefined;
      const card = box && latest.current.model.nodes.find(({ id }) => id === box.id);
      label.hidden = card === undefined;
      if (card === undefined) return;
      const { left, top } = element.getBoundingClientRect();
      label.textContent = titleOf(card);
      label.style.transform = `translate(${event.clientX - left + 14}px, ${event.clientY - top + 16}px)`;
    };
    const hideLabel = () => {
      const label = latest.current.label.current;
      if (label !== null) label.hidden = true;
    };

    const listeners: [string, (event: never) => void][] = [
      ['pointerdown', onPointerDown],
      ['pointermove', onPointerMove],
      ['pointerup', onPointerUp],
      ['pointercancel', onPointerCancel],
      ['mousedown', onMouseDown],
      ['click', onClick],
      ['dblclick', onDoubleClick],
      ['pointerleave', hideLabel],
    ];
    for (const [name, listener] of listeners) element.addEventListener(name, listener as EventListener, true);
    return () => {
      for (const [name, listener] of listeners) element.removeEventListener(name, listener as EventListener, true);
      end();
    };
  }, [area, documents, flow, graph]);
}
