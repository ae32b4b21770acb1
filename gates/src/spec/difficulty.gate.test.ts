import { TaskSpecification } from '@cua-forge/spec/task';
import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { difficulty } from './difficulty.gate.ts';
import { exampleSpec } from './example-spec.ts';

const spec = TaskSpecification.parse(exampleSpec);
const hidden = { answers: [{ label: 'cost of all calls', value: 2738.25 }], expected: [], derivation: 'by hand' };
const look = (of: object, answers: object = hidden, params = {}) =>
  judge(difficulty, { params, inputs: { spec: of, hidden: answers } });
const [file] = spec.files;

describe('gate.difficulty', () => {
  it('passes where there is work, and hands the specification on', async () => {
    expect(await look(spec)).toMatchObject({ verdict: 'pass', failed: [], passed: ['spec'] });
    expect(await judge(difficulty)).toMatchObject({ verdict: 'pass' });
  });

  it('refuses a task that is solved from the start', async () => {
    expect((await look(spec, { ...hidden, expected: [file] })).failed).toEqual([
      'the start is not the end: /home/user/Documents/calls.csv is as expected before anything is done',
    ]);
  });

  it('names answers that stand ready by their label', async () => {
    const told = {
      ...spec,
      files: [...spec.files, { id: 'note', path: '/home/user/note.txt', type: 'text', content: 'All calls: 2,738.25' }],
    };
    const { failed, feedback } = await look(told);
    expect(failed).toEqual([
      'answers do not stand ready: “cost of all calls” stands in the files, beside the data or in a row of totals',
    ]);
    expect(feedback).not.toContain('2738');
  });

  it('refuses what asks for nothing, too little or too much', async () => {
    const kept = {
      ...spec,
      outcome: { ...spec.outcome, requirements: [{ id: 'a', text: 'The file stays as it is', must: true }] },
    };
    expect((await look(kept)).failed.join()).toMatch(/only keeps what is there/);
    expect((await look(spec, hidden, { minRows: 4 })).failed.join()).toMatch(/3 rows and 0 words/);
    expect((await look(spec, hidden, { maxRequirements: 1 })).failed.join()).toMatch(/2 requirements are more than 1/);
  });
});
