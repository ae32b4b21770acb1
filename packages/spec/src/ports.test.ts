import { describe, expect, it } from 'vitest';
import type { GraphDocument } from './document.ts';
import { PortResolver, portsOf } from './ports.ts';
import { documentOf, edgesOf, transform } from './testing/sample-document.ts';
import { sampleKinds } from './testing/sample-kinds.ts';

const portsIn = (document: GraphDocument, id: string) => {
  const node = document.nodes.find((other) => other.id === id) ?? expect.fail(`no node ${id}`);
  const { inputs, outputs, complete } = portsOf(node, document, sampleKinds);
  return {
    inputs: Object.entries(inputs).map(([name, { type, required }]) => `${name}${required ? '' : '?'}: ${type}`),
    outputs: Object.entries(outputs).map(([name, { type, hidden }]) => `${name}${hidden ? '!' : ''}: ${type}`),
    complete,
  };
};

const run = (id: string, kind: string, graph: string) => ({ id, kind, version: 1, params: { graph } });

describe('portsOf', () => {
  it('joins the ports of the kind, those its params declare, and the error port', () => {
    const nodes = [transform('a', { x: 'number', constructor: 'text' }), { id: 'm', kind: 'flow.merge', version: 1 }];
    const document = documentOf({ nodes });
    expect(portsIn(document, 'a')).toEqual({
      inputs: ['x: number', 'constructor: text'],
      outputs: ['value: json', 'error: error'],
      complete: true,
    });
    expect(portsIn(document, 'm').inputs).toEqual(['b?: any', 'a?: any']);
  });

  it('are one object for nodes of a kind that declare the same, and another for one that does not', () => {
    const document = documentOf({
      nodes: [transform('a', { x: 'number' }), transform('b', { x: 'number' }), transform('c', { x: 'text' })],
    });
    const resolver = new PortResolver(document, sampleKinds);
    const [a, b, c] = document.nodes.map((node) => resolver.portsOf(node));
    expect(b).toBe(a);
    expect(c?.inputs.x?.type).toBe('text');
  });

  it('follows graphs within graphs to the types of their outputs, and keeps what is hidden hidden', () => {
    const document = documentOf({
      nodes: [run('once', 'flow.subgraph', 'outer'), run('each', 'flow.map', 'inner')],
      graphs: {
        outer: {
          inputs: { n: { type: 'number' }, t: { type: 'text', default: 'x' } },
          nodes: [run('in', 'flow.subgraph', 'inner')],
          outputs: { n: '$inputs.n', text: 'in.text', answers: 'in.answers', failure: 'in.error' },
        },
        inner: {
          inputs: { item: { type: 'json' }, scale: { type: 'number' } },
          nodes: [
            { id: 'write', kind: 'llm.generate', version: 1, params: { prompt: 'p' } },
            { id: 'secret', kind: 'data.secret', version: 1 },
          ],
          edges: edgesOf([]),
          outputs: { text: 'write.text', answers: 'secret.answers' },
        },
      },
    });
    expect(portsIn(document, 'once')).toEqual({
      inputs: ['n: number', 't?: text'],
      outputs: ['n: number', 'text: text', 'answers!: hidden', 'failure: error', 'error: error'],
      complete: true,
    });
    expect(portsIn(document, 'each').inputs).toEqual(['items: list', 'scale: number']);
    expect(portsIn(document, 'each').outputs).toEqual(['results: list', 'failures: list', 'error: error']);
  });

  it('says when ports cannot be known, and ends on a graph that contains itself', () => {
    const document = documentOf({
      nodes: [
        { id: 'odd', kind: 'no.such', version: 1 },
        run('lost', 'flow.subgraph', 'lost'),
        run('loop', 'flow.subgraph', 'loop'),
      ],
      graphs: { loop: { nodes: [run('again', 'flow.subgraph', 'loop')], outputs: { o: 'again.o' } } },
    });
    expect(portsIn(document, 'odd')).toEqual({ inputs: [], outputs: ['error: error'], complete: false });
    expect(portsIn(document, 'lost').complete).toBe(false);
    expect(portsIn(document, 'loop').outputs).toEqual(['o: any', 'error: error']);
  });
});
