import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.ts';
import { compile, documentHash } from './compile.ts';
import { MAIN_GRAPH } from './document.ts';
import { ForgeError } from './errors.ts';
import { Plan } from './plan.ts';
import { validDocument } from './testing/arbitrary-document.ts';
import { documentOf, edgesOf, sha256, transform } from './testing/sample-document.ts';
import { sampleKinds } from './testing/sample-kinds.ts';
import { validateDocument } from './validate-document.ts';

const compiled = (document: ReturnType<typeof documentOf>) => compile(document, sampleKinds, sha256);
const mainOf = (plan: Plan) => plan.scopes[MAIN_GRAPH] ?? expect.fail('no main scope');
const nodeOf = (plan: Plan, id: string, scope: string = MAIN_GRAPH) =>
  plan.scopes[scope]?.nodes.find((node) => node.id === id) ?? expect.fail(`no node ${id}`);

describe('compile', () => {
  it('refuses a document with errors, and says how many there are', () => {
    const document = documentOf({ nodes: [transform('a', ['x', 'y'])], outputs: { o: 'a.value' } });
    try {
      compiled(document);
      expect.fail('compiled');
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(ForgeError);
      expect(thrown).toMatchObject({ code: 'document.invalid', place: { node: 'a', port: 'x' } });
      expect(String(thrown)).toContain('2 errors');
    }
  });

  it('orders nodes by their edges, and by the document among equals', () => {
    const nodes = [transform('late', ['x']), transform('c'), transform('a'), transform('b', ['x'])];
    const { plan } = compiled(
      documentOf({ nodes, edges: ['b.value > late.x', 'a.value > b.x'], outputs: { o: 'late.value', c: 'c.value' } }),
    );
    expect(mainOf(plan).nodes.map(({ id }) => id)).toEqual(['c', 'a', 'b', 'late']);
  });

  it('refers to params and defaults by the hash of their canonical JSON, each once', () => {
    const document = documentOf({
      inputs: { n: { type: 'number', default: 5 }, file: { type: 'file', default: 'a.xlsx' } },
      nodes: [transform('a'), transform('b')],
      outputs: { a: 'a.value', b: 'b.value' },
    });
    const { plan, params } = compiled(document);
    expect(params.map(({ json }) => json)).toEqual(['5', '{"expression":"$","inputs":{}}']);
    for (const { hash, json } of params) expect(hash).toBe(sha256(json));
    expect(nodeOf(plan, 'a').params).toBe(nodeOf(plan, 'b').params);
    expect(mainOf(plan).defaults).toEqual({ n: { hash: sha256('5'), size: 1 } });
    expect(mainOf(plan).inputs).toEqual(['file', 'n']);
  });

  it('groups cheap neighbours into regions, and splits them at slow nodes and error edges', () => {
    const nodes = [
      transform('a'),
      transform('b', ['x']),
      { id: 'slow', kind: 'llm.generate', version: 1, params: { prompt: 'p', inputs: { x: 'any' } } },
      transform('c', ['x']),
      transform('caught', ['x']),
      { id: 'wait', kind: 'flow.delay', version: 1, params: { milliseconds: 5 } },
    ];
    const edges = [
      'a.value > b.x',
      'b.value > slow.x',
      'slow.text > c.x',
      'b.error > caught.x',
      'a.value > wait.value',
    ];
    const outputs = { c: 'c.value', d: 'caught.value', e: 'wait.value' };
    const { plan } = compiled(documentOf({ nodes, edges, outputs }));
    const regions = Object.fromEntries(mainOf(plan).nodes.map(({ id, region }) => [id, region]));
    expect(regions).toEqual({ a: 0, b: 0, slow: null, c: 1, caught: 2, wait: null });
    expect(
      mainOf(plan)
        .nodes.filter(({ handlesError }) => handlesError)
        .map(({ id }) => id),
    ).toEqual(['b']);
  });

  it('lowers flow kinds, with the defaults of their schemas, and takes only the graphs that are reached', () => {
    const document = documentOf({
      inputs: { items: { type: 'list' } },
      nodes: [
        { id: 'each', kind: 'flow.map', version: 1, params: { graph: 'row', onItemFailure: 'tolerate' } },
        { id: 'again', kind: 'flow.repeat', version: 1, params: { graph: 'row' } },
        { id: 'once', kind: 'flow.subgraph', version: 1, params: { graph: 'outer' } },
        { id: 'ask', kind: 'flow.approval', version: 1 },
        { id: 'wait', kind: 'flow.delay', version: 1, params: { milliseconds: 5 } },
        { id: 'join', kind: 'flow.merge', version: 1 },
      ],
      edges: [
        '$inputs.items > each.items',
        'each.results > again.value',
        'again.value > ask.value',
        'ask.rejected > join.b',
        'wait.value > join.a',
        'ask.approved > wait.value',
      ],
      outputs: { o: 'join.value', once: 'once.value' },
      graphs: {
        row: {
          inputs: { item: { type: 'any', default: null }, value: { type: 'any', default: null } },
          nodes: [transform('inner')],
          outputs: { value: 'inner.value' },
        },
        outer: {
          nodes: [{ id: 'in', kind: 'flow.subgraph', version: 1, params: { graph: 'row' } }],
          edges: edgesOf([]),
          outputs: { value: 'in.value' },
        },
        idle: { nodes: [] },
      },
    });
    const { plan } = compiled(document);
    expect(Object.keys(plan.scopes).sort()).toEqual(['$main', 'outer', 'row']);
    expect(nodeOf(plan, 'each').op).toEqual({
      type: 'map',
      scope: 'row',
      window: 7,
      slice: 200,
      maxItems: 2000,
      onItemFailure: 'tolerate',
      tolerated: 0,
    });
    expect(nodeOf(plan, 'again').op).toEqual({ type: 'repeat', scope: 'row', maxRounds: 10, onLimit: 'fail' });
    expect(nodeOf(plan, 'ask').op).toEqual({ type: 'approval', timeoutMs: null, onTimeout: 'fail' });
    expect(nodeOf(plan, 'wait').op).toEqual({ type: 'delay', milliseconds: 5 });
    expect(nodeOf(plan, 'in', 'outer').op).toEqual({ type: 'subgraph', scope: 'row' });
    expect(Object.keys(nodeOf(plan, 'join').inputs)).toEqual(['a', 'b']);
    expect(plan.scopes.row?.outputs).toEqual({ value: { node: 'inner', port: 'value' } });
  });

  it('keeps the order of edges at a port for many, policy overrides, titles and repair rules', () => {
    const prepare = (id: string) => ({ id, kind: 'preparer.csv', version: 1, params: { file: id } });
    const document = documentOf({
      inputs: { spec: { type: 'spec' } },
      nodes: [
        prepare('one'),
        { ...prepare('two'), title: 'Second file', policy: { attempts: 9, timeoutMs: 77 } },
        { id: 'open', kind: 'gate.opens', version: 1, repair: { target: 'one', rounds: 2 } },
        { id: 'pack', kind: 'package.assemble', version: 1 },
      ],
      edges: [
        'two.file > pack.files',
        'open.file > pack.files',
        '$inputs.spec > one.spec',
        '$inputs.spec > two.spec',
        '$inputs.spec > pack.spec',
        'one.file > open.file',
      ],
    });
    const { plan } = compiled(document);
    expect(nodeOf(plan, 'pack').inputs.files).toEqual({
      sources: [
        { node: 'two', port: 'file' },
        { node: 'open', port: 'file' },
      ],
      required: false,
      multiple: true,
    });
    expect(nodeOf(plan, 'pack').inputs.spec?.sources).toEqual([{ node: null, port: 'spec' }]);
    expect(nodeOf(plan, 'two')).toMatchObject({
      title: 'Second file',
      policy: { attempts: 9, timeoutMs: 77, queue: 'light' },
    });
    expect(nodeOf(plan, 'one').title).toBe('preparer.csv');
    expect(nodeOf(plan, 'open')).toMatchObject({ gate: true, repair: { target: 'one', rounds: 2 } });
  });

  it('hashes what a document means, not where its nodes stand', () => {
    const document = documentOf({ nodes: [transform('a')], outputs: { o: 'a.value' } });
    const moved = { ...document, layout: { $main: { a: { x: 1, y: 2 } } } };
    expect(compiled(moved).plan.document.hash).toBe(compiled(document).plan.document.hash);
    expect(documentHash({ ...document, title: 'Other' }, sha256)).not.toBe(documentHash(document, sha256));
  });

  it('makes a topological plan of every valid document, whatever the order of its fields', () => {
    fc.assert(
      fc.property(validDocument(), (document) => {
        expect(validateDocument(document, sampleKinds).filter(({ severity }) => severity === 'error')).toEqual([]);
        const { plan, params } = compiled(document);
        expect(Plan.parse(plan)).toEqual(plan);
        const known = new Set(params.map(({ hash }) => hash));
        for (const scope of Object.values(plan.scopes)) {
          const seen = new Set<string>();
          for (const node of scope.nodes) {
            for (const { sources } of Object.values(node.inputs)) {
              for (const source of sources) if (source.node !== null) expect(seen).toContain(source.node);
            }
            seen.add(node.id);
            expect(known).toContain(node.params);
          }
        }
        const reordered = documentOf({
          ...JSON.parse(canonicalJson({ ...document, edges: [] })),
          edges: document.edges.map(({ from, to }) => `${from} > ${to}`),
        });
        expect(canonicalJson(compiled(reordered).plan)).toBe(canonicalJson(plan));
      }),
      { numRuns: 100 },
    );
  });
});
