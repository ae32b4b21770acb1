import type { Generated } from 'kysely';

/** Rows as SQLite holds them. Columns named in the comments hold JSON text. */
export interface Tables {
  artifacts: ArtifactRow;
  documents: { id: string; revision: number };
  document_versions: DocumentVersionRow;
  runs: RunRow;
  outcomes: OutcomeRow;
  node_views: NodeViewRow;
  model_calls: ModelCallRow;
  events: EventRow & { id: Generated<number> };
  packages: PackageRow;
  batches: BatchRow;
  pins: { document_id: string; key: string; outputs: string };
}

export interface ArtifactRow {
  hash: string;
  size: number;
  bytes: Uint8Array;
}

export interface DocumentVersionRow {
  document_id: string;
  revision: number;
  title: string;
  hash: string;
  source: string;
  updated_at: number;
}

/** JSON: selection, inputs, edits, failure, outputs. */
export interface RunRow {
  id: string;
  document_id: string;
  document_hash: string;
  plan_hash: string;
  title: string;
  skill: string;
  seed: number;
  mode: string;
  batch_id: string | null;
  base_run: string | null;
  selection: string;
  inputs: string;
  edits: string;
  state: string;
  failure: string | null;
  outputs: string;
  epoch: number;
  workflow_id: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
}

/** `body` is the whole outcome; the other columns are what it is found by. */
export interface OutcomeRow {
  run_id: string;
  key: string;
  token: number;
  status: string;
  memo_key: string | null;
  ended_at: number;
  body: string;
}

/** `body` is the whole view. */
export interface NodeViewRow {
  run_id: string;
  key: string;
  seq: number;
  status: string;
  body: string;
}

/** `body` is the whole call; the numbers are there to be summed. */
export interface ModelCallRow {
  run_id: string;
  key: string;
  token: number;
  activity_attempt: number;
  call_index: number;
  provider: string;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  usd: number | null;
  body: string;
}

/** JSON: data. */
export interface EventRow {
  run_id: string;
  type: string;
  data: string;
  at: number;
  dedupe: string | null;
}

/** JSON: value. */
export interface PackageRow {
  id: string;
  run_id: string;
  batch_id: string | null;
  skill: string;
  seed: number;
  title: string;
  outcome_kind: string;
  value: string;
  created_at: number;
}

export interface BatchRow {
  id: string;
  document_id: string;
  document_hash: string;
  count: number;
  seed: number;
  state: string;
  workflow_id: string;
  created_at: number;
  ended_at: number | null;
}
