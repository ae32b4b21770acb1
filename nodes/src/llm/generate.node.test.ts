import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import { testContext } from '@cua-forge/testing/execute-context';
import { scriptedModels } from '@cua-forge/testing/scripted-models';
import { describe, expect, it } from 'vitest';
import { generate } from './generate.node.ts';

const run = (params: JsonObject, extra: JsonObject, context = testContext()) =>
  generate.execute({ params: generate.params.parse(params), inputs: {}, extra, context });

const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false };

describe('llm.generate', () => {
  it('fills its prompt and answers with text', async () => {
    const models = scriptedModels(['  A river.  ']);
    const result = await run(
      { prompt: 'Name a {{ thing }}.', system: 'Be brief.', inputs: { thing: 'text' } },
      { thing: 'river' },
      testContext({ models }),
    );
    expect(result).toEqual({ text: 'A river.' });
    expect(models.requests[0]).toMatchObject({
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Name a river.' }],
    });
  });

  it('appends the feedback of gates as a message of its own', async () => {
    const models = scriptedModels(['ok']);
    await run({ prompt: 'Go' }, {}, testContext({ models, round: 2, feedback: ['Too short', 'Names a number'] }));
    expect(models.requests[0]?.messages).toHaveLength(2);
    expect(models.requests[0]?.messages[1]?.content).toContain('- Names a number');
  });

  it('asks under the schema and takes a fenced answer', async () => {
    const models = scriptedModels(['```json\n{"n": 4}\n```']);
    expect(await run({ prompt: 'Go', schema }, {}, testContext({ models }))).toEqual({ value: { n: 4 } });
    expect(models.requests[0]?.schema).toEqual(schema);
  });

  it('corrects a wrong answer once, showing what was wrong', async () => {
    const models = scriptedModels([{ n: 'four' }, { n: 4 }]);
    expect(await run({ prompt: 'Go', schema }, {}, testContext({ models }))).toEqual({ value: { n: 4 } });
    const [, assistant, correction] = models.requests[1]?.messages ?? [];
    expect(assistant).toEqual({ role: 'assistant', content: '{"n":"four"}' });
    expect(correction?.content).toMatch(/\/n must be integer/);
  });

  it('gives up after one correction', async () => {
    const models = scriptedModels(['no', 'still no', { n: 1 }]);
    await expect(run({ prompt: 'Go', schema }, {}, testContext({ models }))).rejects.toMatchObject({
      code: 'model.bad-output',
    });
    expect(models.requests).toHaveLength(2);
  });

  it('hands on errors of the model as they are', async () => {
    const models = scriptedModels([new ForgeError('model.timeout', 'late')]);
    await expect(run({ prompt: 'Go' }, {}, testContext({ models }))).rejects.toMatchObject({ code: 'model.timeout' });
  });

  it('rehearses from its examples, keeping the types of single outputs', async () => {
    const context = testContext({ models: rehearsalModels() });
    const examples = [{ n: '{{ box.n | plus: 1 }}' }];
    expect(await run({ prompt: 'Go', schema, inputs: { box: 'json' }, examples }, { box: { n: 6 } }, context)).toEqual({
      value: { n: 7 },
    });
    expect(await run({ prompt: 'Go', examples: ['About {{ box }}'] }, { box: { n: 6 } }, context)).toEqual({
      text: 'About {"n":6}',
    });
  });

  it('rehearses another example in another round', async () => {
    const answer = async (round: number) => {
      const { text } = await run(
        { prompt: 'Go', examples: ['a', 'b', 'c', 'd'] },
        {},
        testContext({ models: rehearsalModels(), round }),
      );
      return text;
    };
    expect(new Set(await Promise.all([1, 2, 3, 4, 5, 6].map(answer))).size).toBeGreaterThan(1);
  });

  it.each([
    ['an unknown variable', 'One\nTwo {{ nothing }}', 2],
    ['an unclosed tag', 'One\n\n{{ oops', 3],
    ['an unknown filter', '{{ 1 | shout }}', 1],
    ['a file', '{% include "/etc/passwd" %}', 1],
    ['the clock', '{{ "now" | date: "%Y" }}', 1],
    ['chance', '{{ "a,b" | split: "," | sample }}', 1],
  ])('refuses %s in a template, with the line', async (_name, prompt, line) => {
    await expect(run({ prompt }, {})).rejects.toMatchObject({ code: 'template.invalid', place: { line } });
  });

  it('refuses a broken schema and hidden inputs', async () => {
    await expect(run({ prompt: 'Go', schema: { type: 'thing' } }, {})).rejects.toMatchObject({
      code: 'params.invalid',
    });
    expect(generate.params.safeParse({ prompt: 'Go', inputs: { answers: 'hidden' } }).success).toBe(false);
  });

  it('refuses an empty or cut answer', async () => {
    await expect(run({ prompt: 'Go' }, {}, testContext({ models: scriptedModels(['  ']) }))).rejects.toMatchObject({
      code: 'model.bad-output',
    });
  });
});
