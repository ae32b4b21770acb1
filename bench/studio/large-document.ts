import { GraphDocument, MAIN_GRAPH } from '@cua-forge/spec/document';

const ROWS = 40;
const STEP = { x: 320, y: 210 };

/** A document of `count` nodes in columns of forty, each fed by one or two of the column before; every fifth one has a prompt. */
export function largeDocument(id: string, count: number): GraphDocument {
  const name = (index: number) => `n${index}`;
  const isPrompt = (index: number) => index % 5 === 4;
  const output = (index: number) => `${name(index)}.${isPrompt(index) ? 'text' : 'value'}`;
  const isPaired = (index: number) => index >= ROWS && index % 2 === 0;
  const inputsOf = (index: number) =>
    index < ROWS ? {} : { value: 'json', ...(isPaired(index) ? { more: 'json' } : {}) };
  const nodes = Array.from({ length: count }, (_, index) =>
    isPrompt(index)
      ? {
          id: name(index),
          kind: 'llm.generate',
          version: 1,
          title: `Letter ${index}`,
          params: {
            purpose: 'letter',
            inputs: inputsOf(index),
            prompt: index < ROWS ? 'Write a letter of thanks.' : 'Write a letter of thanks about {{ value }}.',
            examples: ['Dear Acme, thank you for order 7.'],
          },
        }
      : {
          id: name(index),
          kind: 'data.transform',
          version: 1,
          title: `Step ${index}`,
          params: { inputs: inputsOf(index), expression: index < ROWS ? '1' : 'value' },
        },
  );
  const edges = nodes.flatMap((_, index) => {
    const before = index - ROWS;
    if (before < 0) return [];
    const first = { from: output(before), to: `${name(index)}.value` };
    return isPaired(index)
      ? [first, { from: output((before % ROWS) + 1 < ROWS ? before + 1 : before), to: `${name(index)}.more` }]
      : [first];
  });
  const places = Object.fromEntries(
    nodes.map((_, index) => [name(index), { x: Math.floor(index / ROWS) * STEP.x, y: (index % ROWS) * STEP.y }]),
  );
  return GraphDocument.parse({ forge: 1, id, title: 'Large', nodes, edges, layout: { [MAIN_GRAPH]: places } });
}
