import { rehearsalModels } from '@cua-forge/models/rehearsal';
import type { JsonObject } from '@cua-forge/spec/json';
import { type Kind, Verdict } from '@cua-forge/spec/kind';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { type ScriptedReply, scriptedModels } from '@cua-forge/testing/scripted-models';
import { describe, expect, it } from 'vitest';
import { choose } from './choose.node.ts';
import { extract } from './extract.node.ts';
import { review } from './review.node.ts';

async function ask(
  kind: Kind,
  params: JsonObject,
  inputs: Record<string, unknown>,
  replies: ScriptedReply[],
  feedback: string[] = [],
) {
  const models = scriptedModels(replies);
  const outputs = await runKind(kind, { params, inputs, context: { models, feedback } });
  return { outputs, requests: models.requests };
}
const rehearse = (kind: Kind, params: JsonObject, inputs: Record<string, unknown>, seed = 1) =>
  runKind(kind, { params, inputs, seed, context: { models: rehearsalModels() } });

describe('llm.review', () => {
  const params = {
    criteria: [
      { id: 'polite', text: 'It is polite.' },
      { id: 'short', text: 'It is short.', must: false },
    ],
  };
  const finding = (criterion: string, ok: boolean) => ({ criterion, ok, seen: `${criterion} seen` });
  const answer = (polite: boolean, short: boolean, score: number, feedback = '') => ({
    findings: [finding('polite', polite), finding('short', short)],
    score,
    feedback,
  });

  it('lets through what holds, wishes aside', async () => {
    const { outputs, requests } = await ask(review, params, { value: 'Hi', context: 'a letter' }, [
      answer(true, false, 0.9),
    ]);
    expect(outputs).toMatchObject({ value: 'Hi', score: 0.9, verdict: { verdict: 'pass', gate: 'llm.review' } });
    expect(Verdict.parse(outputs.verdict).evidence.map(({ detail }) => detail)).toEqual([
      'polite seen',
      'a wish that does not hold: short seen',
      '0.9; 0.7 is wanted',
    ]);
    expect(requests[0]?.messages[0]?.content).toMatch(
      /\[polite\] must[\s\S]*\[short\] wish[\s\S]*a letter[\s\S]*<work>\nHi/,
    );
  });

  it('sends back with feedback, or with what failed when there is none', async () => {
    const bad = await ask(review, params, { value: 'Hi' }, [answer(false, true, 0.9, 'Say please.')]);
    expect(bad.outputs).toMatchObject({
      verdict: { verdict: 'repair', feedback: 'Say please.' },
      review: { score: 0.9 },
    });
    expect(bad.outputs).not.toHaveProperty('value');
    const low = await ask(review, params, { value: 'Hi' }, [answer(true, true, 0.5)]);
    expect(low.outputs.verdict).toMatchObject({ verdict: 'repair', feedback: 'score: 0.5; 0.7 is wanted' });
  });

  it('asks again when a criterion is left out, twice there, or made up', async () => {
    const half = {
      findings: [finding('polite', true), finding('polite', true), finding('odd', true)],
      score: 1,
      feedback: '',
    };
    const { requests } = await ask(review, params, { value: 'Hi' }, [half, answer(true, true, 1)]);
    expect(requests[1]?.messages.at(-1)?.content).toMatch(
      /exactly one finding for the criterion polite[\s\S]*criterion short[\s\S]*no criterion odd/,
    );
    await expect(ask(review, params, { value: 'Hi' }, [half, half])).rejects.toMatchObject({
      code: 'model.bad-output',
    });
  });

  it('rehearses', async () => {
    expect(await rehearse(review, params, { value: 'Hi' })).toMatchObject({
      value: 'Hi',
      verdict: { verdict: 'pass' },
    });
  });
});

describe('llm.choose', () => {
  const params = { question: 'Which?', options: ['a', 'b', 'c'] };
  const chosen = (...options: string[]) => ({
    chosen: options.map((option) => ({ option, reason: `because ${option}` })),
  });

  it('gives what was chosen, in order, with reasons', async () => {
    const { outputs } = await ask(choose, { ...params, max: 2 }, { about: 'x' }, [chosen('c', 'a')]);
    expect(outputs).toEqual({ choice: 'c', choices: ['c', 'a'], reasons: ['because c', 'because a'] });
  });

  it('takes options that arrive, and shows feedback', async () => {
    const { outputs, requests } = await ask(
      choose,
      params,
      { about: 'x', options: ['d', 'e', 'd'] },
      [chosen('e')],
      ['Not d'],
    );
    expect(outputs.choice).toBe('e');
    expect(requests[0]?.messages.at(-1)?.content).toContain('Not d');
  });

  it.each([[chosen('z')], [chosen('a', 'b')], [chosen()], ['b']])('asks again after %j', async (wrong) => {
    const { outputs, requests } = await ask(choose, params, { about: 'x' }, [wrong, chosen('b')]);
    expect([outputs.choice, requests.length]).toEqual(['b', 2]);
  });

  it('asks again when one is chosen twice, and refuses too few options', async () => {
    expect(
      (await ask(choose, { ...params, max: 2 }, { about: 'x' }, [chosen('a', 'a'), chosen('a')])).requests,
    ).toHaveLength(2);
    await expect(ask(choose, { question: 'Which?' }, { about: 'x' }, [])).rejects.toMatchObject({
      code: 'input.invalid',
    });
  });

  it('rehearses with every option', async () => {
    const made = await Promise.all(
      Array.from({ length: 30 }, async (_, seed) => (await rehearse(choose, params, { about: 'x' }, seed)).choice),
    );
    expect(new Set(made)).toEqual(new Set(['a', 'b', 'c']));
    expect((await rehearse(choose, { ...params, min: 3, max: 3 }, { about: 'x' })).choices).toHaveLength(3);
  });
});

describe('llm.extract', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string' }, sum: { $ref: '#/$defs/money' } },
    required: ['name'],
    $defs: { money: { type: 'number' } },
  };
  const text = 'Ann  said:\n“I owe you\n40 euros.”';
  const answer = (quote: string, value: JsonObject = { name: 'Ann', sum: 40 }) => ({
    value,
    quotes: [{ about: 'sum', quote }],
  });

  it('gives value and quotes, from a text or a file', async () => {
    const { outputs } = await ask(extract, { schema }, { text }, [answer('"I owe you 40')]);
    expect(outputs).toEqual({ value: { name: 'Ann', sum: 40 }, quotes: [{ about: 'sum', quote: '"I owe you 40' }] });
    const files = new MemoryFiles();
    const file = files.put('note.txt', 'text/plain', Buffer.from(text));
    expect(
      (
        await runKind(extract, {
          params: { schema },
          inputs: { file },
          files,
          context: { models: scriptedModels([answer('40 euros')]) },
        })
      ).value,
    ).toEqual({ name: 'Ann', sum: 40 });
    const picture = files.put('a.png', 'image/png', Buffer.from([0xff, 0xfe, 0]));
    await expect(runKind(extract, { params: { schema }, inputs: { file: picture }, files })).rejects.toMatchObject({
      code: 'file.unsupported',
    });
  });

  it('asks again for quotes that are invented or missing, and for values that do not fit', async () => {
    for (const wrong of [
      answer('50 euros'),
      { value: { name: 'Ann' }, quotes: [] },
      answer('40 euros', { name: 'Ann', sum: '40' }),
      answer(' '),
    ]) {
      const { requests } = await ask(extract, { schema }, { text }, [wrong, answer('40 euros')]);
      expect(requests, JSON.stringify(wrong)).toHaveLength(2);
    }
    await expect(ask(extract, { schema }, { text }, [answer('50 euros'), answer('60 euros')])).rejects.toMatchObject({
      code: 'model.bad-output',
      message: expect.stringContaining('does not stand in the source'),
    });
  });

  it('refuses no source, one that is too long, and a broken schema', async () => {
    await expect(ask(extract, { schema }, {}, [])).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(ask(extract, { schema, maxChars: 100 }, { text: 'x'.repeat(101) }, [])).rejects.toMatchObject({
      code: 'input.invalid',
    });
    await expect(ask(extract, { schema: { type: 'thing' } }, { text }, [])).rejects.toMatchObject({
      code: 'params.invalid',
    });
  });

  it('rehearses from its examples, with quotes of the source', async () => {
    const outputs = await rehearse(extract, { schema, examples: [{ name: 'Ben' }], minQuotes: 3 }, { text });
    expect(outputs).toMatchObject({
      value: { name: 'Ben' },
      quotes: [{ quote: 'Ann  said:' }, { quote: '“I owe you' }, { quote: '40 euros.”' }],
    });
  });
});
