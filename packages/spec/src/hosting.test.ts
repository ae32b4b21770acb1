import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { GraphDocument } from './document.ts';
import { runsInHost } from './hosting.ts';
import { kinds } from './kinds.ts';

const hash = (text: string): string => Buffer.from(text).toString('hex').padEnd(64, '0').slice(-64);
const transform = (id: string) => ({ id, kind: 'data.transform', version: 1, params: { expression: '1' } });
/** The node to be judged, `x`, takes what `a` makes. */
const edgesOf = (nodes: unknown[]) =>
  JSON.stringify(nodes).includes('"id":"x","kind":"flow.') ? [{ from: 'a.value', to: 'x.value' }] : [];
const planOf = (nodes: unknown[], more: Record<string, unknown> = {}) =>
  compile(GraphDocument.parse({ forge: 1, id: 'd', title: 'D', nodes, edges: edgesOf(nodes), ...more }), kinds, hash)
    .plan;
const versionOf = (id: string): number => kinds.find((kind) => kind.id === id)?.version ?? 1;
const many = (count: number) => Array.from({ length: count }, (_, index) => transform(`n${index}`));

describe('runsInHost', () => {
  it('is bounded by runs and by nodes', () => {
    expect(runsInHost(planOf(many(1)))).toBe(50);
    expect(runsInHost(planOf(many(20)))).toBe(25);
    expect(runsInHost(planOf(many(50)))).toBe(10);
    expect(runsInHost(planOf(many(51)))).toBe(0);
  });

  it('counts what is inside a subgraph', () => {
    const sub = { id: 'sub', kind: 'flow.subgraph', version: versionOf('flow.subgraph'), params: { graph: 'body' } };
    const graphs = (nodes: unknown[]) => ({ graphs: { body: { inputs: {}, nodes, edges: [], outputs: {} } } });
    expect(runsInHost(planOf([transform('a'), sub], graphs(many(18))))).toBe(25);
    expect(runsInHost(planOf([transform('a'), sub], graphs(many(60))))).toBe(0);
  });

  it.each([
    ['a wait', { id: 'x', kind: 'flow.delay', version: versionOf('flow.delay'), params: { milliseconds: 5 } }],
    ['a person', { id: 'x', kind: 'flow.approval', version: versionOf('flow.approval'), params: { message: 'Well?' } }],
    ['a model', { id: 'x', kind: 'llm.generate', version: versionOf('llm.generate'), params: { prompt: 'Say.' } }],
  ])('is none where a node needs %s', (_, node) => {
    expect(runsInHost(planOf([transform('a'), node]))).toBe(0);
  });
});
