import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cyclesOf, type Links, reachable, splitEnd, topologicalOrder } from './graph-order.ts';

const links = fc.integer({ min: 1, max: 12 }).chain((count) =>
  fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 20 }).map((pairs): Links => {
    const nodes = Array.from({ length: count }, (_, index) => `n${index}`);
    const before = new Map(nodes.map((id) => [id, new Set<string>()]));
    const after = new Map(nodes.map((id) => [id, new Set<string>()]));
    for (const [from, to] of pairs) {
      if (from === to) continue;
      before.get(`n${to}`)?.add(`n${from}`);
      after.get(`n${from}`)?.add(`n${to}`);
    }
    return { nodes, before, after };
  }),
);

describe('order and cycles', () => {
  it('either order every node or name a cycle that is one', () => {
    fc.assert(
      fc.property(links, (all) => {
        const order = topologicalOrder(all);
        const place = new Map(order.map((id, index) => [id, index]));
        for (const id of order) {
          for (const source of all.before.get(id) ?? []) expect(place.get(source)).toBeLessThan(place.get(id) ?? -1);
        }
        const cycles = cyclesOf(all);
        expect(cycles.length > 0).toBe(order.length < all.nodes.length);
        for (const cycle of cycles) {
          for (const [index, id] of cycle.entries()) {
            expect(all.after.get(id)).toContain(cycle[(index + 1) % cycle.length]);
          }
        }
        const members = cycles.flat();
        expect(new Set(members).size).toBe(members.length);
      }),
    );
  });

  it('take the first of the document that is ready', () => {
    fc.assert(
      fc.property(links, (all) => {
        const order = topologicalOrder(all);
        const done = new Set<string>();
        for (const id of order) {
          const ready = all.nodes.filter(
            (node) => !done.has(node) && [...(all.before.get(node) ?? [])].every((source) => done.has(source)),
          );
          expect(ready[0]).toBe(id);
          done.add(id);
        }
      }),
    );
  });

  it('reach a node from itself and along edges only', () => {
    const after = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['d', new Set(['a'])],
    ]);
    expect([...reachable(['a'], after)].sort()).toEqual(['a', 'b', 'c']);
  });

  it('split the ends of edges', () => {
    expect(splitEnd('$inputs.amount')).toEqual({ node: null, port: 'amount' });
    expect(splitEnd('a-b.value')).toEqual({ node: 'a-b', port: 'value' });
  });
});
