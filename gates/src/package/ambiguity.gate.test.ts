import { judge } from '@cua-forge/testing/judge';
import { describe, expect, it } from 'vitest';
import { exampleSpec } from '../spec/example-spec.ts';
import { ambiguity } from './ambiguity.gate.ts';

const text = 'Please add a column Cost to calls.csv with Minutes times Rate.';
const read = (instruction: string) => judge(ambiguity, { params: {}, inputs: { instruction, spec: exampleSpec } });

describe('gate.ambiguity', () => {
  it('passes what names only what is there or asked for', async () => {
    expect(await judge(ambiguity)).toMatchObject({ verdict: 'pass', failed: [], passed: ['instruction'] });
  });

  it.each([
    ['a file', `${text} Use rates.xlsx too.`, /no file rates\.xlsx/],
    ['a sheet', `${text} The sheet Archive stays.`, /no sheet Archive/],
    ['a column', `${text} The Surcharge column stays.`, /no column Surcharge/],
    ['a quoted name', `${text} Skip “Harrow Mills”.`, /“Harrow Mills” is nowhere/],
    ['an open wish', `${text} Format it as we discussed.`, /“as we discussed”/],
    ['an attachment', `${text} See the attached layout.`, /“attached”/],
  ])('asks to repair a text that names %s', async (_, instruction, message) => {
    const { verdict, failed, passed, feedback } = await read(instruction);
    expect({ verdict, passed }).toEqual({ verdict: 'repair', passed: [] });
    expect(failed.join('\n')).toMatch(message);
    expect(feedback).toMatch(message);
  });
});
