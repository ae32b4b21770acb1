import { runKind } from '@cua-forge/testing/run-kind';
import { describe, expect, it } from 'vitest';
import { branch } from './branch.node.ts';

describe('flow.branch', () => {
  it('passes the value on by yes or no, and only there', async () => {
    expect(await runKind(branch)).toEqual({ yes: { amount: 250 } });
    expect(await runKind(branch, { inputs: { value: { amount: 3 } } })).toEqual({ no: { amount: 3 } });
  });

  it('takes the first case that holds, in alphabetical order of the ports', async () => {
    const params = { cases: { big: 'n > 10', 'a-huge': 'n > 100' }, ports: { 'a-huge': 'json', big: 'json' } };
    expect(await runKind(branch, { params, inputs: { value: { n: 500 } } })).toEqual({ 'a-huge': { n: 500 } });
    expect(await runKind(branch, { params, inputs: { value: { n: 50 } } })).toEqual({ big: { n: 50 } });
    expect(await runKind(branch, { params, inputs: { value: { n: 5 } } })).toEqual({ no: { n: 5 } });
  });

  it('refuses both forms at once, and cases without a port', () => {
    expect(branch.params.safeParse({ condition: 'a', cases: { b: 'b' }, ports: { b: 'json' } }).success).toBe(false);
    expect(branch.params.safeParse({ cases: { b: 'b' } }).success).toBe(false);
    expect(branch.params.safeParse({}).success).toBe(false);
  });
});
