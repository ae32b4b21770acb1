import type { GraphDocument } from '@cua-forge/spec/document';
import { describe, expect, it } from 'vitest';
import { apply } from '../document/command.ts';
import { graphModel } from './graph-model.ts';
import { moveCommand, withMembers } from './moving.ts';

const graph = '$main';
const document: GraphDocument = {
  forge: 1,
  id: 'sample',
  title: 'Sample',
  inputs: {},
  nodes: ['in', 'out'].map((id) => ({ id, kind: 'data.transform', version: 1, params: {} })),
  edges: [],
  outputs: {},
  graphs: {},
  layout: { [graph]: { in: { x: 50, y: 50 }, out: { x: 900, y: 50 } } },
  annotations: {
    [graph]: { group: { type: 'frame', text: 'Group', x: 0, y: 0, width: 400, height: 400 } },
  },
};
const model = graphModel(document, graph, [], false, null);

describe('moving', () => {
  it('takes the members of a frame along, and leaves what is outside', () => {
    const moves = withMembers(model, new Map([['#group', { x: 100, y: -20 }]]));
    expect(moves.get('in')).toEqual({ x: 150, y: 30 });
    expect(moves.has('out')).toBe(false);
  });

  it('does not move a member twice', () => {
    const moves = withMembers(
      model,
      new Map([
        ['#group', { x: 100, y: 0 }],
        ['in', { x: 51, y: 52 }],
      ]),
    );
    expect(moves.get('in')).toEqual({ x: 51, y: 52 });
  });

  it('is one command with an exact inverse, which touches places alone', () => {
    const command = moveCommand(document, graph, model, withMembers(model, new Map([['#group', { x: 10.4, y: 0 }]])));
    if (command === null) throw new Error('The frame was to move.');
    const { document: after, inverse } = apply(document, command);
    expect(after.annotations?.[graph]?.group?.x).toBe(10);
    expect(after.layout[graph]?.in).toEqual({ x: 60, y: 50 });
    expect(after.nodes).toBe(document.nodes);
    expect(apply(after, inverse).document).toEqual(document);
  });

  it('is nothing when all stand there already', () => {
    expect(moveCommand(document, graph, model, [['in', { x: 50, y: 50 }]])).toBeNull();
  });
});
