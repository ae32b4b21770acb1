import type { RunEvent } from '@cua-forge/spec/store-port';
import { expect, it } from 'vitest';
import { logRow } from './node-log.tsx';

const event = (type: RunEvent['type'], data: unknown): RunEvent => ({ id: 1, runId: 'r', type, data, at: 5 });
const view = {
  runId: 'r',
  key: 'a',
  seq: 1,
  token: 1,
  status: 'failed',
  round: 2,
  attempt: 3,
  failure: { code: 'node.failed', message: 'below zero' },
  note: null,
  counts: null,
  at: 5,
};

it('writes states, progress and lines of a node for people, and leaves out what it does not know', () => {
  expect(logRow(event('node', view))).toMatchObject({
    tone: 'warn',
    text: 'failed, round 2, attempt 3: node.failed below zero',
  });
  expect(logRow(event('node', { ...view, status: 'running', failure: null, round: 1, attempt: 1 }))?.text).toBe(
    'running',
  );
  expect(logRow(event('log', { key: 'a', token: 1, level: 'warn', line: 'again' }))).toMatchObject({
    tone: 'warn',
    text: 'again',
  });
  expect(logRow(event('progress', { key: 'a', message: '3 of 4', fraction: 0.75 }))?.text).toBe('3 of 4');
  expect(logRow(event('progress', { key: 'a' }))).toBeNull();
  expect(logRow(event('run', { state: 'running' }))).toBeNull();
});
