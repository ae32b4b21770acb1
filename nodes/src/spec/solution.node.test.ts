import { HiddenAnswers } from '@cua-forge/spec/task';
import { runKind } from '@cua-forge/testing/run-kind';
import { expect, it } from 'vitest';
import { solution } from './solution.node.ts';

it('writes a program and the steps that turn the prepared file into the expected one', async () => {
  const made = await runKind(solution);
  const hidden = HiddenAnswers.parse(made.hidden);
  expect(hidden.solution?.solution).toMatchObject({
    through: 'openpyxl',
    run: { how: 'script', language: 'python', entry: 'solve.py', args: ['steps.json'] },
  });
  const steps: unknown = JSON.parse(hidden.solution?.files.find(({ path }) => path === 'steps.json')?.text ?? 'null');
  expect(steps).toMatchObject([
    {
      path: '/home/user/Documents/orders.xlsx',
      steps: expect.arrayContaining([{ do: 'add-sheet', sheet: 'Overview' }]),
    },
  ]);
});
