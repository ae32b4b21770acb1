import { describe, expect, it } from 'vitest';
import { meant, nearest } from './nearest.ts';

const kinds = ['data.file', 'data.sample', 'llm.generate', 'flow.map'];

describe('nearest', () => {
  it.each([
    ['llm.generat', 'llm.generate'],
    ['data.flie', 'data.file'],
    ['Flow.Map', 'flow.map'],
    ['data.simple', 'data.sample'],
  ])('takes %s for %s', (name, wanted) => expect(nearest(name, kinds)).toBe(wanted));

  it('does not guess at what is nothing like it', () => {
    expect(nearest('sandbox.click', kinds)).toBeUndefined();
    expect(nearest('x', [])).toBeUndefined();
  });
});

describe('meant', () => {
  it('asks about the nearest, else lists what there is, twelve at most', () => {
    expect(meant('flow.mop', kinds)).toBe('Did you mean "flow.map"?');
    expect(meant('sandbox.click', kinds)).toBe('There is: data.file, data.sample, llm.generate, flow.map.');
    expect(
      meant(
        'nothing-like-it',
        Array.from({ length: 14 }, (_, index) => `p${index}`),
      ),
    ).toMatch(/p11, …\.$/);
    expect(meant('x', [])).toBe('There is none to choose from.');
  });
});
