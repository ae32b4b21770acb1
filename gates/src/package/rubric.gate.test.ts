import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { exampleSpec } from '../spec/example-spec.ts';
import { rubric } from './rubric.gate.ts';

const column = {
  id: 'column',
  text: 'calls.csv has a column Cost after its last column',
  weight: 0.4,
  must: true,
  judge: 'check',
  evidence: 'The saved calls.csv',
};
const values = { ...column, id: 'values', text: 'Cost is Minutes times Rate in every row', weight: 0.5 };
const more = { ...column, id: 'more', text: 'Cost has two decimals', weight: 0.1, must: false };
const read = (...criteria: object[]) =>
  judge(rubric, { params: {}, inputs: { rubric: { criteria }, spec: exampleSpec } });

describe('gate.rubric', () => {
  it('passes criteria that can be judged, and hands them on', async () => {
    expect(await read(column, values, more)).toMatchObject({ verdict: 'pass', failed: [], passed: ['rubric'] });
  });

  it.each([
    ['claims two things', { ...more, text: 'Cost has two decimals and the header is bold' }, /more claims 2 things/],
    ['is a matter of taste', { ...more, text: 'The table is professional' }, /more says “professional”/],
    ['judges the way', { ...more, text: 'The agent clicked on Save' }, /more says “agent”/],
    ['always holds', { ...more, text: 'calls.csv exists' }, /calls\.csv is there from the start/],
    ['has no evidence', { ...more, evidence: 'none' }, /more names no evidence/],
    ['wants a file that is not there', { ...more, evidence: 'report.pdf' }, /report\.pdf, which is not among/],
    ['says the same', { ...more, text: `At the end, ${values.text}` }, /values and more say the same/],
    ['upsets the sum', { ...more, weight: 0.4 }, /sum to 1\.3/],
  ])('asks to repair a rubric with a criterion that %s', async (_, criterion, message) => {
    const { verdict, failed, passed } = await read(column, values, criterion);
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
  });

  it('asks for weights that none outweighs and musts that count', async () => {
    expect(
      (await read({ ...column, weight: 0.9 }, { ...values, weight: 0.05 }, { ...more, weight: 0.05 })).failed.join(),
    ).toMatch(/column has 90 %/);
    expect(
      (await read({ ...column, weight: 0.2 }, { ...values, weight: 0.2 }, { ...more, weight: 0.6 })).failed.join(),
    ).toMatch(/musts have 40 %/);
  });
});
