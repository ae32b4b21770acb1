import type { GraphDocument } from '@cua-forge/spec/document';
import { annotationIdOf } from '../document/annotation-id.ts';
import { membersOf, type Placed } from '../document/arrange.ts';
import type { Command } from '../document/command.ts';
import { annotationOf } from './annotations.ts';
import type { GraphModel } from './graph-model.ts';

export interface Spot {
  x: number;
  y: number;
}

/** Every card, note and frame with its place and size. */
export function boxesOf(model: GraphModel): Placed[] {
  return [...model.nodes, ...model.annotations].map(({ id, position, width, height }) => ({
    id,
    ...position,
    width: width ?? 0,
    height: height ?? 0,
  }));
}

/** Places the members of each frame that moves as well, unless they move by themselves. */
export function withMembers(model: GraphModel, moves: ReadonlyMap<string, Spot>): Map<string, Spot> {
  const all = new Map(moves);
  let boxes: Placed[] | undefined;
  for (const frame of model.annotations) {
    const to = moves.get(frame.id);
    if (to === undefined || frame.data.annotation.type !== 'frame') continue;
    boxes ??= boxesOf(model);
    const [dx, dy] = [to.x - frame.position.x, to.y - frame.position.y];
    const { x, y, width, height } = frame.data.annotation;
    for (const member of membersOf({ x, y, width, height }, boxes)) {
      if (member.id !== frame.id && !all.has(member.id)) all.set(member.id, { x: member.x + dx, y: member.y + dy });
    }
  }
  return all;
}

/**
 * Moves cards and annotations in one step; null when all stand there already. Cards that are shown at a place of the
 * studio's choice keep it from now on, so that the rest of the picture stays.
 */
export function moveCommand(
  document: GraphDocument,
  graph: string,
  model: GraphModel,
  moves: Iterable<readonly [string, Spot]>,
): Command | null {
  const places = document.layout[graph] ?? {};
  const commands: Command[] = [];
  const positions: Record<string, Spot> = {};
  for (const [id, spot] of moves) {
    const { x, y } = { x: Math.round(spot.x), y: Math.round(spot.y) };
    const annotationId = annotationIdOf(id);
    if (annotationId !== undefined) {
      const annotation = annotationOf(document, graph, annotationId);
      if (annotation !== undefined && (annotation.x !== x || annotation.y !== y))
        commands.push({ type: 'set-annotation', graph, id: annotationId, annotation: { ...annotation, x, y } });
    } else if (places[id]?.x !== x || places[id]?.y !== y) positions[id] = { x, y };
  }
  if (Object.keys(positions).length > 0) {
    const unplaced = model.nodes.filter((node) => !(node.id in places)).map((node) => [node.id, node.position]);
    commands.push({ type: 'move', graph, positions: { ...Object.fromEntries(unplaced), ...positions } });
  }
  return commands.length === 0 ? null : { type: 'batch', commands };
}
