import { documentOf, type NodeOf } from './test-kinds.ts';

const answer = (id: string, topic: string): NodeOf => ({
  id,
  kind: 'llm.generate',
  params: { prompt: `Say ${topic} of {{ plan.topic }}.`, inputs: { plan: 'json' } },
});
const compute = (id: string, expression: string, inputs: Record<string, string>): NodeOf => ({
  id,
  kind: 'data.transform',
  params: { expression, inputs },
});

/**
 * Fourteen nodes of every sort that a crash can meet: cheap ones in regions, model calls, a delay, a map with model calls inside. `nonce`
 * reaches every node and no output, so that two runs compute the same without sharing a memo.
 */
export const faultDocument = documentOf(
  [
    compute('plan', '{ "topic": topic, "nonce": nonce }', { topic: 'text', nonce: 'text' }),
    compute('numbers', '[1..8].{ "n": $, "topic": $$.plan.topic, "nonce": $$.plan.nonce }', { plan: 'json' }),
    answer('first', 'one thing'),
    answer('second', 'another thing'),
    answer('third', 'a third thing'),
    { id: 'pause', kind: 'flow.delay', params: { milliseconds: 1_500 } },
    { id: 'each', kind: 'flow.map', params: { graph: 'body', window: 4 } },
    compute('lengths', '[$length(first), $length(second), $length(third)]', {
      first: 'text',
      second: 'text',
      third: 'text',
    }),
    compute('total', '$sum(lengths)', { lengths: 'json' }),
    compute('double', 'total * 2', { total: 'number' }),
    compute('texts', 'results.value', { results: 'list' }),
    compute('count', '$count(texts)', { texts: 'json' }),
    compute('late', 'plan.topic & "!"', { plan: 'json' }),
    compute('report', '{ "double": double, "texts": texts, "count": count, "late": late }', {
      double: 'number',
      texts: 'json',
      count: 'number',
      late: 'text',
    }),
  ],
  [
    ['$inputs.topic', 'plan.topic'],
    ['$inputs.nonce', 'plan.nonce'],
    ['plan.value', 'numbers.plan'],
    ['plan.value', 'first.plan'],
    ['plan.value', 'second.plan'],
    ['plan.value', 'third.plan'],
    ['plan.value', 'pause.value'],
    ['numbers.value', 'each.items'],
    ['first.text', 'lengths.first'],
    ['second.text', 'lengths.second'],
    ['third.text', 'lengths.third'],
    ['lengths.value', 'total.lengths'],
    ['total.value', 'double.total'],
    ['each.results', 'texts.results'],
    ['texts.value', 'count.texts'],
    ['pause.value', 'late.plan'],
    ['double.value', 'report.double'],
    ['texts.value', 'report.texts'],
    ['count.value', 'report.count'],
    ['late.value', 'report.late'],
  ],
  {
    inputs: { topic: { type: 'text', default: 'rivers' }, nonce: { type: 'text' } },
    outputs: { report: 'report.value' },
    graphs: {
      body: {
        inputs: { item: { type: 'json' } },
        nodes: [
          {
            id: 'say',
            kind: 'llm.generate',
            version: 1,
            params: { prompt: 'Say {{ item.n }} of {{ item.topic }}.', inputs: { item: 'json' } },
          },
          {
            id: 'mark',
            kind: 'data.transform',
            version: 1,
            params: { expression: 'text & " (" & item.n & ")"', inputs: { text: 'text', item: 'json' } },
          },
        ],
        edges: [
          { from: '$inputs.item', to: 'say.item' },
          { from: '$inputs.item', to: 'mark.item' },
          { from: 'say.text', to: 'mark.text' },
        ],
        outputs: { value: 'mark.value' },
      },
    },
  },
);

/** Keys of all executions of the document, in the order of the alphabet: the map itself counts, and so do its items. */
export const faultDocumentKeys: readonly string[] = [
  ...'plan numbers first second third pause each lengths total double texts count late report'.split(' '),
  ...Array.from({ length: 8 }, (_, index) => [`each[${index}]`, `each[${index}]/say`, `each[${index}]/mark`]).flat(),
].sort();
