import fc from 'fast-check';
import type { GraphDocument } from '../document.ts';
import { GraphDocument as Schema } from '../document.ts';
import type { Json } from '../json.ts';
import { type LooseNode, transform } from './sample-document.ts';

const word = fc.constantFrom(
  'a',
  'b',
  'x',
  'rows',
  'amountDue',
  'snake_case',
  'kebab-case',
  'constructor',
  'toString',
  'yes',
  'null',
);

/** Texts that are awkward in YAML: several lines, indents, signs that mean something. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc
    .array(
      fc.constantFrom('', ' ', '  a', 'b: c', '# d', '- e', '"', "'", '\t', '---', '...', 'null', '1', 'yes', '|', '>'),
      { maxLength: 6 },
    )
    .map((lines) => lines.join('\n')),
  fc.constantFrom(
    'a\r\nb',
    'a\u2028b',
    'a\u0085b',
    '\ufeffx',
    'x\n\n',
    '\n',
    ' \n ',
    '0x1f',
    '1e3',
    '~',
    '=',
    '<<',
    '2026-01-01',
  ),
);

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      tie('json'),
      { maxKeys: 3 },
    ),
  ),
}));

export { json as arbitraryJson };

interface Parts {
  nodes: LooseNode[];
  edges: { from: string; to: string }[];
}

/** A graph of data.transform nodes, with edges from each to later ones, in shuffled order. */
function parts(prefix: string): fc.Arbitrary<Parts> {
  const node = fc.record({
    inputs: fc.uniqueArray(word, { maxLength: 3 }),
    from: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
    viaError: fc.boolean(),
    title: fc.option(
      text.map((title) => title.slice(0, 50)),
      { nil: undefined },
    ),
    notes: fc.option(text, { nil: undefined }),
    expression: text,
    attempts: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
  });
  return fc.array(node, { minLength: 1, maxLength: 12 }).chain((drawn) => {
    const edges: Parts['edges'] = [];
    const nodes = drawn.map(({ inputs, from, viaError, title, notes, expression, attempts }, index): LooseNode => {
      const used = index === 0 ? [] : inputs;
      for (const [place, port] of used.entries()) {
        const source = (from[place] ?? 0) % index;
        edges.push({ from: `${prefix}${source}.${viaError ? 'error' : 'value'}`, to: `${prefix}${index}.${port}` });
      }
      const base = transform(`${prefix}${index}`, used);
      return {
        ...base,
        params: { ...base.params, expression },
        ...(title === undefined ? {} : { title }),
        ...(notes === undefined ? {} : { notes }),
        ...(attempts === undefined ? {} : { policy: { attempts } }),
      };
    });
    return fc.record({ nodes: shuffled(nodes), edges: shuffled(edges) });
  });
}

function shuffled<T>(items: T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray(items, { minLength: items.length });
}

/** Documents without an error: a top level, and a body that a flow.map and a flow.subgraph run. */
export function validDocument(): fc.Arbitrary<GraphDocument> {
  return fc
    .record({
      main: parts('n'),
      body: parts('b'),
      title: text.map((title) => `${title}.`.slice(-200)),
      description: fc.option(text, { nil: undefined }),
      value: json,
      x: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    })
    .map(({ main, body, title, description, value, x }) =>
      Schema.parse({
        forge: 1,
        id: 'any',
        title,
        ...(description === undefined ? {} : { description }),
        inputs: { list: { type: 'list' }, extra: { type: 'any', default: value, title: 'Extra' } },
        nodes: [
          { id: 'each', kind: 'flow.map', version: 1, params: { graph: 'body' } },
          ...main.nodes,
          { id: 'once', kind: 'flow.subgraph', version: 1, params: { graph: 'body' } },
        ],
        edges: [
          { from: '$inputs.list', to: 'each.items' },
          { from: '$inputs.extra', to: 'each.extra' },
          { from: 'each.results', to: 'once.item' },
          ...main.edges,
        ],
        outputs: { first: 'n0.value', once: 'once.result', results: 'each.results' },
        graphs: {
          body: {
            inputs: { item: { type: 'any' }, extra: { type: 'any', default: value } },
            nodes: body.nodes,
            edges: body.edges,
            outputs: { result: 'b0.value' },
          },
        },
        layout: { $main: { n0: { x, y: 10 } } },
      }),
    );
}
