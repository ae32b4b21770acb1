import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { transform } from './transform.node.ts';

describe('data.transform', () => {
  it('runs its example', async () => {
    expect(await runKind(transform)).toEqual({ value: { total: 20, count: 2 } });
  });

  it('spreads an object over declared outputs and leaves empty ones dead', async () => {
    const params = { expression: '{ "rows": [1, 2], "note": null }', outputs: { rows: 'list', note: 'text' } };
    expect(await runKind(transform, { params })).toEqual({ value: { rows: [1, 2], note: null }, rows: [1, 2] });
  });

  it('names the place of a mistake', async () => {
    await expect(runKind(transform, { params: { expression: 'a +\n* ]' } })).rejects.toMatchObject({
      code: 'expression.invalid',
      place: { line: 2 },
    });
  });
});
