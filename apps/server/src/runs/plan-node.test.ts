import { Plan, type PlanNode } from '@cua-forge/spec/plan';
import { describe, expect, it } from 'vitest';
import { planNodeAt } from './plan-node.ts';

const hash = '0'.repeat(64);
const node = (id: string, op: PlanNode['op'] = { type: 'execute' }): PlanNode => ({
  id,
  kind: 'test.echo',
  version: 1,
  title: id,
  params: hash,
  inputs: {},
  op,
  policy: { queue: 'light', timeoutMs: 1, heartbeatMs: 1, attempts: 1, backoffMs: 1 },
  region: null,
  gate: false,
  repair: null,
  handlesError: false,
});
const map: PlanNode['op'] = {
  type: 'map',
  scope: 'body',
  window: 1,
  slice: 1,
  maxItems: 1,
  onItemFailure: 'fail',
  tolerated: 0,
};
const plan = Plan.parse({
  format: 1,
  document: { id: 'd', title: 'd', hash, skill: '' },
  root: '$main',
  scopes: {
    $main: {
      id: '$main',
      inputs: [],
      nodes: [
        node('plain'),
        node('files', map),
        node('polish', { type: 'repeat', scope: 'body', maxRounds: 2, onLimit: 'fail' }),
      ],
      outputs: {},
    },
    body: {
      id: 'body',
      inputs: [],
      nodes: [node('draft'), node('deep', { type: 'subgraph', scope: 'inner' })],
      outputs: {},
    },
    inner: { id: 'inner', inputs: [], nodes: [node('leaf')], outputs: {} },
  },
});

describe('planNodeAt', () => {
  it.each([
    ['plain', 'plain'],
    ['files', 'files'],
    ['files[3]/draft', 'draft'],
    ['polish#2/deep/leaf', 'leaf'],
    ['none', undefined],
    ['plain/draft', undefined],
    ['files[3]/none', undefined],
    ['', undefined],
  ])('%j is %j', (key, id) => {
    expect(planNodeAt(plan, key)?.id).toBe(id);
  });
});
