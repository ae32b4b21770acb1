import { randomUUID } from 'node:crypto';
import type {
  BatchRecord,
  ModelCall,
  NewArtifact,
  NewClaim,
  NodeView,
  Outcome,
  PackageRecord,
  RunRecord,
} from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { sha256 } from '../hash.ts';

/** An identifier that no other test has. */
export const uniqueId = (prefix: string): string => `${prefix}-${randomUUID()}`;

export const sampleBytes = (size: number, fill = uniqueId('bytes')): Uint8Array => Buffer.alloc(size, `${fill} `);

export const artifactOf = (bytes: Uint8Array): NewArtifact => ({ hash: sha256(bytes), bytes });

export const refTo = ({ hash, bytes }: NewArtifact): ValueRef => ({ hash, size: bytes.byteLength });

export const sampleRun = (change: Partial<RunRecord> = {}): RunRecord => ({
  id: uniqueId('run'),
  documentId: 'monthly-summary',
  documentHash: sha256('document'),
  planHash: sha256('plan'),
  title: 'Monthly summary',
  skill: 'calc-monthly-summary',
  seed: 7,
  mode: 'interactive',
  batchId: null,
  baseRun: null,
  selection: { mode: 'all' },
  inputs: {},
  edits: {},
  state: 'queued',
  failure: null,
  outputs: {},
  epoch: 1,
  workflowId: 'run/1',
  createdAt: 1_000,
  startedAt: null,
  endedAt: null,
  ...change,
});

export const sampleOutcome = (change: Partial<Outcome> = {}): Outcome => ({
  runId: uniqueId('run'),
  key: 'draft',
  token: 1,
  round: 1,
  attempt: 1,
  status: 'succeeded',
  kind: 'llm.generate',
  title: 'Draft',
  fingerprint: sha256('fingerprint'),
  params: sha256('params'),
  inputs: { topic: [{ hash: sha256('topic'), size: 5, index: 2, preview: 'sales' }] },
  outputs: {},
  verdict: null,
  failure: null,
  origin: 'executed',
  madeBy: null,
  memoKey: null,
  providers: ['rehearsal'],
  usage: { input: 0, cached: 0, output: 0 },
  usd: 0,
  startedAt: 1_000,
  endedAt: 2_000,
  ...change,
});

export const sampleCall = (change: Partial<ModelCall> = {}): ModelCall => ({
  runId: uniqueId('run'),
  key: 'draft',
  token: 1,
  round: 1,
  attempt: 1,
  index: 0,
  activityAttempt: 1,
  purpose: 'draft',
  provider: 'rehearsal',
  model: 'rehearsal',
  usage: { input: 100, cached: 40, output: 20 },
  usd: 0.25,
  milliseconds: 12,
  status: 'ok',
  error: null,
  prompt: null,
  response: null,
  at: 1_500,
  ...change,
});

export const sampleView = (change: Partial<NodeView> = {}): NodeView => ({
  runId: uniqueId('run'),
  key: 'draft',
  seq: 1,
  token: 1,
  status: 'running',
  round: 1,
  attempt: 1,
  failure: null,
  note: null,
  counts: null,
  at: 1_200,
  ...change,
});

export const samplePackage = (change: Partial<PackageRecord> = {}): PackageRecord => ({
  id: uniqueId('package'),
  runId: uniqueId('run'),
  batchId: null,
  skill: 'calc-monthly-summary',
  seed: 7,
  title: 'Summarise the sales of March',
  outcomeKind: 'summary-table',
  rehearsed: false,
  value: { hash: sha256('package'), size: 7 },
  createdAt: 3_000,
  ...change,
});

export const sampleBatch = (change: Partial<BatchRecord> = {}): BatchRecord => ({
  id: uniqueId('batch'),
  title: 'Monthly summary',
  parts: [
    {
      documentId: 'monthly-summary',
      documentHash: sha256('document'),
      planHash: sha256('plan'),
      title: 'Monthly summary',
      skill: 'calc-monthly-summary',
      inputs: {},
      count: 20,
      seed: 7,
    },
  ],
  count: 20,
  window: 8,
  budget: { usd: null, tokens: null },
  state: 'running',
  workflowId: 'batch/1',
  createdAt: 1_000,
  endedAt: null,
  ...change,
});

export const sampleClaim = (change: Partial<NewClaim> = {}): NewClaim => ({
  scope: 'batch:one',
  name: 'customer',
  value: sha256('value'),
  runId: uniqueId('run'),
  key: 'unique',
  near: null,
  at: 1,
  ...change,
});
