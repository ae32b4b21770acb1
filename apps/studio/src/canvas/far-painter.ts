import type { NodeStatus } from '@cua-forge/spec/store-port';
import { familyOf } from './family.tsx';
import type { Card, GraphModel } from './graph-model.ts';
import type { Spot } from './moving.ts';

/** Where the painted area starts, in canvas units, and how large its pixels are. */
export interface Sight {
  x: number;
  y: number;
  zoom: number;
  /** In CSS pixels. */
  width: number;
  height: number;
}

export interface Scene {
  model: GraphModel;
  selection: ReadonlySet<string>;
  statusOf(id: string): NodeStatus | undefined;
  isBad(id: string): boolean;
  /** Cards with a place of their own while they are dragged. */
  dragged: ReadonlyMap<string, Spot>;
}

type Ink = (name: string) => string;

/** Colours of the theme in force at the element. */
export function inkOf(element: Element): Ink {
  const style = getComputedStyle(element);
  const known = new Map<string, string>();
  return (name) => {
    let color = known.get(name);
    if (color === undefined) {
      color = style.getPropertyValue(`--${name}`).trim();
      known.set(name, color);
    }
    return color;
  };
}

const fills: Partial<Record<NodeStatus, string>> = {
  running: 'run-soft',
  succeeded: 'ok-soft',
  failed: 'bad-soft',
  awaiting: 'warn-soft',
};
const edges: Partial<Record<NodeStatus, string>> = { running: 'run', succeeded: 'ok', failed: 'bad', awaiting: 'warn' };

/** Least height of letters in pixels that is worth drawing. */
const LETTERS = 5;
const TITLE = 26;

/** Sizes the canvas and clears it. Null where the browser has no context left. */
export function surface(canvas: HTMLCanvasElement, sight: Sight): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio;
  const [width, height] = [Math.ceil(sight.width * ratio), Math.ceil(sight.height * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
    canvas.style.width = `${sight.width}px`;
    canvas.style.height = `${sight.height}px`;
  }
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, sight.width, sight.height);
  return context;
}

/** Draws what does not move: all but the dragged cards and their wires. */
export function paintStill(canvas: HTMLCanvasElement, scene: Scene, sight: Sight, ink: Ink): void {
  const context = surface(canvas, sight);
  if (context === null) return;
  const still = (id: string) => !scene.dragged.has(id);
  paintAnnotations(context, scene, sight, ink, still);
  paintWires(context, scene, sight, ink, (source, target) => still(source) && still(target));
  for (const card of scene.model.nodes) if (still(card.id)) paintCard(context, scene, card, sight, ink);
}

/** Draws the dragged cards where they are now, with their wires. */
export function paintMoving(canvas: HTMLCanvasElement, scene: Scene, sight: Sight, ink: Ink): void {
  const context = surface(canvas, sight);
  if (context === null) return;
  const moves = (id: string) => scene.dragged.has(id);
  paintAnnotations(context, scene, sight, ink, moves);
  paintWires(context, scene, sight, ink, (source, target) => moves(source) || moves(target));
  for (const card of scene.model.nodes) if (moves(card.id)) paintCard(context, scene, card, sight, ink);
}

const placeOf = (scene: Scene, card: { id: string; position: Spot }): Spot =>
  scene.dragged.get(card.id) ?? card.position;

function paintCard(context: CanvasRenderingContext2D, scene: Scene, card: Card, sight: Sight, ink: Ink): void {
  const place = placeOf(scene, card);
  const x = Math.round((place.x - sight.x) * sight.zoom);
  const y = Math.round((place.y - sight.y) * sight.zoom);
  const width = Math.max(3, Math.round((card.width ?? 0) * sight.zoom));
  const height = Math.max(3, Math.round((card.height ?? 0) * sight.zoom));
  if (x > sight.width || y > sight.height || x + width < 0 || y + height < 0) return;
  const status = card.type === 'node' ? scene.statusOf(card.id) : undefined;
  if (scene.selection.has(card.id)) {
    context.fillStyle = ink('accent');
    context.fillRect(x - 2, y - 2, width + 4, height + 4);
  } else {
    context.fillStyle = ink(scene.isBad(card.id) ? 'bad' : ((status && edges[status]) ?? 'border-strong'));
    context.fillRect(x, y, width, height);
  }
  context.fillStyle = ink(card.type === 'border' ? 'sunken' : ((status && fills[status]) ?? 'raised'));
  context.fillRect(x + 1, y + 1, width - 2, height - 2);
  if (card.type === 'node') {
    context.fillStyle = ink(`port-${familyOf(card.data.card.node.kind).tone}`);
    context.fillRect(x + 1, y + 1, Math.max(2, Math.round(width * 0.03)), height - 2);
  }
  const letters = TITLE * sight.zoom;
  if (letters < LETTERS) return;
  context.fillStyle = ink('text');
  context.font = `620 ${letters}px ${ink('font')}`;
  context.textBaseline = 'top';
  context.save();
  context.beginPath();
  context.rect(x, y, width - 2, height);
  context.clip();
  context.fillText(titleOf(card), x + width * 0.06 + 2, y + height * 0.12);
  context.restore();
}

/** What a card is called. */
export const titleOf = (card: Card): string =>
  card.type === 'node' ? (card.data.card.node.title ?? card.id) : card.data.side === 'inputs' ? 'Inputs' : 'Outputs';

function paintWires(
  context: CanvasRenderingContext2D,
  scene: Scene,
  sight: Sight,
  ink: Ink,
  wanted: (source: string, target: string) => boolean,
): void {
  const boxes = boxesOfCards(scene.model);
  context.beginPath();
  for (const wire of scene.model.edges) {
    if (!wanted(wire.source, wire.target)) continue;
    const [source, target] = [boxes.get(wire.source), boxes.get(wire.target)];
    if (source === undefined || target === undefined) continue;
    const [from, to] = [placeOf(scene, source), placeOf(scene, target)];
    const startX = (from.x + (source.width ?? 0) - sight.x) * sight.zoom;
    const startY = (from.y + (source.height ?? 0) / 2 - sight.y) * sight.zoom;
    const endX = (to.x - sight.x) * sight.zoom;
    const endY = (to.y + (target.height ?? 0) / 2 - sight.y) * sight.zoom;
    if (Math.max(startX, endX) < 0 || Math.min(startX, endX) > sight.width) continue;
    if (Math.max(startY, endY) < 0 || Math.min(startY, endY) > sight.height) continue;
    context.moveTo(startX, startY);
    context.lineTo(endX, endY);
  }
  context.strokeStyle = ink('border-strong');
  context.lineWidth = 1;
  context.stroke();
}

const byId = new WeakMap<GraphModel, ReadonlyMap<string, Card>>();
function boxesOfCards(model: GraphModel): ReadonlyMap<string, Card> {
  let known = byId.get(model);
  if (known === undefined) {
    known = new Map(model.nodes.map((card) => [card.id, card]));
    byId.set(model, known);
  }
  return known;
}

function paintAnnotations(
  context: CanvasRenderingContext2D,
  scene: Scene,
  sight: Sight,
  ink: Ink,
  wanted: (id: string) => boolean,
): void {
  for (const note of scene.model.annotations) {
    if (!wanted(note.id)) continue;
    const { annotation } = note.data;
    const place = placeOf(scene, note);
    const [x, y] = [(place.x - sight.x) * sight.zoom, (place.y - sight.y) * sight.zoom];
    const [width, height] = [annotation.width * sight.zoom, annotation.height * sight.zoom];
    context.fillStyle = ink(annotation.type === 'frame' ? 'sunken' : 'warn-soft');
    context.fillRect(x, y, width, height);
    context.strokeStyle = ink(scene.selection.has(note.id) ? 'accent' : 'border-strong');
    context.lineWidth = scene.selection.has(note.id) ? 2 : 1;
    context.strokeRect(x + 0.5, y + 0.5, width, height);
    const letters = Math.max(11, TITLE * sight.zoom);
    if (annotation.text === '' || height < letters || width < letters * 3) continue;
    context.fillStyle = ink('muted');
    context.font = `600 ${letters}px ${ink('font')}`;
    context.textBaseline = 'top';
    context.save();
    context.beginPath();
    context.rect(x, y, width, height);
    context.clip();
    context.fillText(annotation.text.split('\n')[0] ?? '', x + 4, y + 3);
    context.restore();
  }
}
