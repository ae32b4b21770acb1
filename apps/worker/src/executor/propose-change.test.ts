import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { GraphDocument } from '@cua-forge/spec/document';
import type { ModelPort, ModelRequest } from '@cua-forge/spec/model-port';
import { describe, expect, it } from 'vitest';
import { proposeChange } from './propose-change.ts';

const document = GraphDocument.parse({
  forge: 1,
  id: 'sums',
  title: 'Sums',
  nodes: [{ id: 'make', kind: 'data.transform', version: 1, params: { expression: '1 + 1' } }],
  outputs: { sum: 'make.value' },
});
const never = new AbortController().signal;

/** Answers one text after the other, and keeps what it was asked. */
function answering(...texts: string[]): ModelPort & { asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  return {
    asked,
    rehearsed: false,
    identity: () => 'scripted:small',
    async complete(request) {
      asked.push(structuredClone(request));
      const text = texts[asked.length - 1] ?? texts.at(-1) ?? '';
      const usage = { input: 10, cached: 0, output: 5 };
      return { text, provider: 'scripted', model: 'small', usage, usd: 0.01, milliseconds: 1, finish: 'stop' };
    },
  };
}
const edits = (...list: unknown[]) => JSON.stringify({ summary: 'Doubles it.', edits: list });
const wish = { document, words: 'Double the sum', model: null };
const good = edits({ do: 'set-params', id: 'make', params: { expression: '2 * (1 + 1)' } });

describe('proposeChange', () => {
  it('takes valid edits as they are, and says what they took', async () => {
    const models = answering(good);
    const proposal = await proposeChange(models, wish, never);
    expect(proposal).toMatchObject({ summary: 'Doubles it.', provider: 'scripted', calls: 1, usd: 0.01 });
    const [first] = models.asked;
    expect(first?.system).toContain('data.transform');
    expect(first?.messages[0]?.content).toContain('Double the sum');
  });

  it('sends back what is no JSON, names what is not there, or breaks the document, until it is right', async () => {
    const models = answering(
      'Sure!',
      edits({ do: 'set-params', id: 'nothing', params: {} }),
      edits({ do: 'add-node', id: 'more', kind: 'no.kind' }),
      good,
    );
    const proposal = await proposeChange(models, wish, never);
    expect(proposal).toMatchObject({ calls: 4, usage: { input: 40, output: 20 } });
    const corrections = models.asked.map(({ messages }) => messages.at(-1)?.content ?? '');
    expect(corrections[1]).toContain('not JSON');
    expect(corrections[2]).toContain('no node "nothing"');
    expect(corrections[3]).toContain('no.kind');
  });

  it('gives up after the last correction', async () => {
    await expect(proposeChange(answering('no'), wish, never)).rejects.toMatchObject({ code: 'model.bad-output' });
  });

  it('says that a rehearsal cannot propose', async () => {
    await expect(proposeChange(rehearsalModels(), wish, never)).rejects.toMatchObject({
      code: 'model.refused',
      message: expect.stringContaining('rehearsal cannot propose'),
    });
  });
});
