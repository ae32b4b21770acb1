import { describe, expect, it } from 'vitest';
import { mayConnect } from './connect.ts';
import { documentOf, edgesOf, transform } from './testing/sample-document.ts';
import { sampleKinds } from './testing/sample-kinds.ts';

const document = documentOf({
  inputs: { spec: { type: 'spec' }, n: { type: 'number' } },
  nodes: [
    transform('a', ['x', 'y']),
    transform('b', ['x', 'y']),
    transform('c', { t: 'text' }),
    { id: 'make', kind: 'preparer.csv', version: 1, params: { file: 'f' } },
    { id: 'more', kind: 'preparer.csv', version: 1, params: { file: 'g' } },
    { id: 'pack', kind: 'package.assemble', version: 1 },
  ],
  edges: ['a.value > b.x', 'make.file > pack.files'],
  graphs: { body: { inputs: { item: { type: 'any' } }, nodes: [transform('inner', ['x'])], edges: edgesOf([]) } },
});

const reason = (from: string, to: string, graph = '$main') => {
  const answer = mayConnect(document, graph, from, to, sampleKinds);
  return answer.ok ? 'ok' : answer.reason;
};

describe('mayConnect', () => {
  it.each([
    ['a.value', 'b.y'],
    ['$inputs.spec', 'make.spec'],
    ['more.file', 'pack.files'],
    ['a.error', 'b.y'],
  ])('lets %s → %s pass', (from, to) => expect(reason(from, to)).toBe('ok'));

  it('looks at the graph it is asked about', () => {
    expect(reason('$inputs.item', 'inner.x', 'body')).toBe('ok');
    expect(reason('$inputs.item', 'a.x')).toContain('no input "item"');
    expect(reason('a.value', 'inner.x', 'body')).toContain('"a", which does not exist');
    expect(reason('a.value', 'a.x', 'nowhere')).toContain('no graph "nowhere"');
  });

  it.each([
    ['make.file', 'c.t', 'brings file, but port "t" takes text'],
    ['$inputs.n', 'c.t', 'brings number, but port "t" takes text'],
    ['a.value', 'a.x', 'to itself'],
    ['b.value', 'a.x', 'would close a circle'],
    ['b.error', 'a.x', 'would close a circle'],
    ['c.value', 'b.x', 'takes one edge'],
    ['a.value', 'b.x', 'connected already'],
    ['make.file', 'pack.files', 'connected already'],
    ['a.value', '$inputs.n', '$inputs'],
    ['a.valu', 'b.y', 'no such output'],
    ['a.value', 'b.z', 'no such input'],
  ])('refuses %s → %s in a sentence', (from, to, part) => {
    expect(reason(from, to)).toContain(part);
    expect(reason(from, to)).toMatch(/\.$/);
  });
});
