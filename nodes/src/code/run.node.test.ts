import { runKind } from '@cua-forge/testing/run-kind';
import { QuickJs } from '@cua-forge/worker/code/quick-js';
import { afterAll, expect, it } from 'vitest';
import { run } from './run.node.ts';

const code = new QuickJs(1);
afterAll(() => code.close());
const execute = (given: Parameters<typeof runKind>[1], seed = 1) => runKind(run, { ...given, seed, context: { code } });

it('gives the members of its result to the declared ports, and leaves missing ones dead', async () => {
  const outputs = await execute({
    params: {
      code: 'console.log(inputs.rows.length); return { total: inputs.rows.reduce((sum, [, n]) => sum + n, 0), none: null };',
      inputs: { rows: 'list' },
      outputs: { total: 'number', none: 'text', absent: 'text' },
    },
    inputs: {
      rows: [
        ['a', 1],
        ['b', 2.5],
      ],
    },
  });
  expect(outputs).toEqual({ total: 3.5, value: { total: 3.5, none: null }, logs: ['2'] });
});

it('draws chance from the seed of the node, and time from its params', async () => {
  const params = { code: 'return [Math.random(), new Date().toISOString()]', now: '2030-05-06T07:08:09Z' };
  const [first, again, other] = [
    await execute({ params, inputs: {} }),
    await execute({ params, inputs: {} }),
    await execute({ params, inputs: {} }, 2),
  ];
  expect(again).toEqual(first);
  expect(other.value).not.toEqual(first.value);
  expect(first.value).toEqual([expect.any(Number), '2030-05-06T07:08:09.000Z']);
});

it('says where a program failed, and not what it said when an input is hidden', async () => {
  const source = 'const answer = inputs.answers[0];\nthrow new Error(answer);';
  const failing = (type: string) =>
    execute({ params: { code: source, inputs: { answers: type } }, inputs: { answers: ['forty-two'] } });
  await expect(failing('list')).rejects.toMatchObject({
    code: 'code.failed',
    message: expect.stringContaining('line 2: Error: forty-two'),
  });
  await expect(failing('hidden')).rejects.toMatchObject({
    code: 'code.failed',
    place: { line: 2 },
    message: expect.not.stringContaining('forty-two'),
  });
});

it('keeps to its limits', async () => {
  await expect(execute({ params: { code: 'for (;;);', timeoutMs: 50 }, inputs: {} })).rejects.toMatchObject({
    code: 'code.limit',
  });
  expect(run.params.safeParse({ code: 'return 1', timeoutMs: 1e9 }).success).toBe(false);
});
