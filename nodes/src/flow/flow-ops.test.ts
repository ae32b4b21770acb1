import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { approval } from './approval.node.ts';
import { delay } from './delay.node.ts';
import { map, splitItems } from './map.node.ts';
import { merge } from './merge.node.ts';
import { repeat, untilHolds } from './repeat.node.ts';
import { subgraph } from './subgraph.node.ts';

describe('kinds that the interpreter carries out', () => {
  it('say which operation they are and never execute', async () => {
    const kinds = [merge, subgraph, map, repeat, approval, delay];
    expect(kinds.map((kind) => kind.flow)).toEqual(['merge', 'subgraph', 'map', 'repeat', 'approval', 'delay']);
    for (const kind of kinds) await expect(runKind(kind)).rejects.toMatchObject({ code: 'internal' });
  });

  it('fill in defaults', () => {
    expect(map.params.parse({ graph: 'body' })).toMatchObject({ maxItems: 2_000, onItemFailure: 'fail', tolerated: 0 });
    expect(map.params.safeParse({ graph: 'body', maxItems: 10_001 }).success).toBe(false);
    expect(approval.params.parse({ message: 'ok?' })).toMatchObject({ timeoutMs: null, onTimeout: 'fail' });
  });
});

describe('splitItems', () => {
  it('gives the members of a list and refuses everything else by name', () => {
    expect(splitItems([1, 'a', null])).toEqual([1, 'a', null]);
    expect(() => splitItems({ a: 1 })).toThrow(/got an object/);
    expect(() => splitItems(null)).toThrow(/got null/);
  });
});

describe('untilHolds', () => {
  it('evaluates the condition over the outputs', async () => {
    expect(await untilHolds('value.score >= 0.9', { value: { score: 0.95 } })).toBe(true);
    expect(await untilHolds('value.score >= 0.9', { value: { score: 0.5 } })).toBe(false);
    await expect(untilHolds('value.(', {})).rejects.toMatchObject({ code: 'expression.invalid' });
  });
});
