import type { Generated } from 'kysely';

/**
 * Rows as the database holds them. A `body` is the JSON of the whole record, so that the schemas of the contract alone say what
 * a record is; the columns beside it are what it is found by.
 */
export interface Tables {
  artifacts: ArtifactRow;
  documents: { id: string; revision: number };
  document_versions: DocumentVersionRow;
  /** Rows are added and never changed. */
  publications: PublicationRow & { id: Generated<number> };
  runs: RunRow;
  outcomes: OutcomeRow;
  node_views: NodeViewRow;
  model_calls: ModelCallRow;
  events: EventRow & { id: Generated<number> };
  packages: PackageRow;
  /** Rows are added and never changed. */
  package_reviews: ReviewRow & { id: Generated<number> };
  batches: BatchRow;
  /** `token_hash` is the SHA-256 of a hook's token. */
  hooks: { id: string; token_hash: string; created_at: number; body: string };
  /** `since` is the last event that it was told of, `first` the one it began after. */
  webhooks: { id: string; since: number; first: number; created_at: number; body: string };
  /** `next_at` is null for what has ended. */
  deliveries: {
    id: string;
    webhook_id: string;
    state: string;
    next_at: number | null;
    created_at: number;
    body: string;
  };
  evaluations: { id: string; created_at: number; body: string };
  schedules: { id: string; created_at: number; body: string };
  /** Rows are added and never changed. */
  audit: AuditRow & { id: Generated<number> };
  /** `answer` is JSON. */
  keyed_requests: { key: string; body_hash: string; answer: string; at: number };
  spending: SpendingRow;
  claims: ClaimRow;
  /** `key` is the hash of a file and its ending. */
  page_pictures: { key: string; at: number; body: string };
  /** `outputs` is JSON. */
  pins: { document_id: string; key: string; outputs: string };
  condemned_blobs: CondemnedBlobRow;
  /** `links` is a JSON list of the artifacts that a blob names: blobs never change, so each is read once. */
  blob_links: { hash: string; links: string };
  /** What one process at a time does. */
  leases: { name: string; holder: string; expires_at: number };
}

/** A blob that nothing refers to. While `deleting_at` is set, it is being deleted and must not be taken for there. */
export interface CondemnedBlobRow {
  hash: string;
  condemned_at: number;
  deleting_at: number | null;
}

/** `condemned_at` is when it was found that nothing refers to the artifact. */
export interface ArtifactRow {
  hash: string;
  size: number;
  bytes: Uint8Array;
  condemned_at: number | null;
}

export interface DocumentVersionRow {
  document_id: string;
  revision: number;
  title: string;
  hash: string;
  source: string;
  updated_at: number;
}

export interface PublicationRow {
  document_id: string;
  revision: number;
  note: string;
  user_name: string;
  at: number;
}

export interface RunRow {
  id: string;
  document_id: string;
  batch_id: string | null;
  state: string;
  failure_code: string | null;
  skill: string;
  document_hash: string;
  created_at: number;
  ended_at: number | null;
  body: string;
}

export interface OutcomeRow {
  run_id: string;
  key: string;
  token: number;
  status: string;
  memo_key: string | null;
  ended_at: number;
  kind: string;
  body: string;
}

export interface NodeViewRow {
  run_id: string;
  key: string;
  seq: number;
  status: string;
  /** The innermost map item that the node lies in. */
  map_path: string | null;
  item_index: number | null;
  /** Path from the item on, without iterations. */
  item_node: string | null;
  failure_code: string | null;
  body: string;
}

/** The numbers are there to be summed. */
export interface ModelCallRow {
  run_id: string;
  key: string;
  token: number;
  activity_attempt: number;
  call_index: number;
  provider: string;
  model: string;
  /** Path without map items and iterations. */
  node: string;
  at: number;
  failed: 0 | 1;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  usd: number | null;
  body: string;
}

/** `data` is JSON. */
export interface EventRow {
  run_id: string;
  type: string;
  data: string;
  at: number;
  dedupe: string | null;
}

export interface PackageRow {
  id: string;
  run_id: string;
  batch_id: string | null;
  skill: string;
  rehearsed: 0 | 1;
  created_at: number;
  body: string;
  /** The one of its reviews that holds, and what that says. */
  review_id: Generated<number | null>;
  verdict: Generated<string>;
}

/** `reason` is empty where there is none. */
export interface ReviewRow {
  package_id: string;
  verdict: string;
  reason: string;
  note: string;
  user_name: string;
  at: number;
}

/** What a run (`run/<id>`) or all runs of a batch (`batch/<id>`) have spent. */
export interface SpendingRow {
  owner: string;
  usd: number;
  tokens: number;
  unpriced: number;
}

export interface BatchRow {
  id: string;
  created_at: number;
  body: string;
}

export interface AuditRow {
  at: number;
  user_name: string;
  action: string;
  target: string;
  detail: string;
}

export interface ClaimRow {
  scope: string;
  name: string;
  run_id: string;
  key: string;
  value: string;
  signature: string | null;
  at: number;
}
