import type { Json, JsonObject } from '@cua-forge/spec/json';
import { TaskSpecification } from '@cua-forge/spec/task';
import { testContext } from '@cua-forge/testing/execute-context';
import { describe, expect, it } from 'vitest';
import { unify } from './unify.node.ts';

const { inputs: example, params } = unify.example;
const answers = (label: string, value: string | number): JsonObject => ({
  hidden: { answers: [{ label, value }], expected: [], derivation: 'by hand' },
});
const run = (inputs: JsonObject = {}, more: JsonObject = {}) =>
  unify.execute({
    params: unify.params.parse({ ...params, ...more }),
    inputs: { ...example, ...inputs },
    extra: {},
    context: testContext({ skill: 'the-skill' }),
  });
const outcome = (change: JsonObject): JsonObject => ({ outcome: { ...(example.outcome as JsonObject), ...change } });
const text = (path: string, id: string): Json => ({ id, path, type: 'text', content: 'x' });

describe('spec.unify', () => {
  it('merges the parts, with the usual preconditions', async () => {
    const result = await run({
      files: [...(example.files as Json[]), [text('/home/user/a.txt', 'a')]],
      traits: [{ layout: 'plain', sheets: 1 }, { layout: 'wide' }],
    });
    const spec = TaskSpecification.parse(result.spec);
    expect(spec).toMatchObject({ skill: 'the-skill', traits: { layout: 'wide', sheets: 1 } });
    expect(spec.files.map(({ id }) => id)).toEqual(['notes', 'a']);
    expect(spec.preconditions).toEqual([
      { type: 'file-present', file: 'notes' },
      { type: 'file-present', file: 'a' },
      { type: 'application-open', application: 'libreoffice-calc', file: 'notes' },
    ]);
    expect(result.hidden).toEqual(example.hidden);
  });

  it('leaves hidden dead where there are no answers', async () => {
    const { hidden: _hidden, ...rest } = example;
    const result = await unify.execute({
      params: unify.params.parse(params),
      inputs: rest,
      extra: {},
      context: testContext(),
    });
    expect(Object.keys(result)).toEqual(['spec']);
  });

  it.each([
    [
      'two files at one path',
      { files: [...(example.files as Json[]), text('/home/user/notes.csv', 'b')] },
      {},
      /path \/home\/user\/notes.csv/,
    ],
    [
      'two files with one id',
      { files: [...(example.files as Json[]), text('/home/user/b.txt', 'notes')] },
      {},
      /id notes/,
    ],
    [
      'a precondition on no file',
      {},
      { preconditions: [{ type: 'file-present', file: 'book' }] },
      /names the file book; the files are notes/,
    ],
    [
      'an unknown application',
      {},
      { preconditions: [{ type: 'application-open', application: 'gimp', file: 'notes' }] },
      /gimp/,
    ],
    [
      'requirements that nobody needs',
      outcome({ requirements: [{ id: 'a', text: 'x', must: false }] }),
      {},
      /no requirement is a must/,
    ],
    [
      'an answer in a mention',
      { ...outcome({ mentions: ['Total 1,234.50'] }), ...answers('total', 1234.5) },
      {},
      /mention "Total 1,234.50" .* total/,
    ],
    [
      'an answer in the summary',
      { ...outcome({ summary: 'the sheet shows 8,450' }), ...answers('sum', 8450) },
      {},
      /summary contains the hidden answer sum/,
    ],
    ['an answer in a constraint', answers('sum', 8450), { constraints: ['8450 must be shown'] }, /constraint 1/],
  ])('refuses %s, by name', async (_name, inputs, more, message) => {
    await expect(run(inputs, more)).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringMatching(message),
    });
  });

  it('names the port of a part that does not fit', async () => {
    await expect(run({ scenario: { person: 'Dana' } })).rejects.toMatchObject({
      code: 'input.invalid',
      place: { port: 'scenario' },
    });
    await expect(run({ files: [{ id: 'x', path: '../x', type: 'text', content: 'x' }] })).rejects.toMatchObject({
      place: { port: 'files' },
    });
  });
});
