import {
  type ApproveNode,
  BatchView,
  DocumentList,
  DocumentView,
  Done,
  Health,
  KindList,
  NodeDetail,
  NodeList,
  PackageList,
  PackageView,
  RetryBatchResult,
  RetryResult,
  type RetryRun,
  RunList,
  RunView,
  type SaveDocument,
  type StartBatch,
  type StartRun,
  ValidateResult,
} from '@cua-forge/spec/api';
import { Json } from '@cua-forge/spec/json';
import { BatchRecord, type RunEvent, RunRecord } from '@cua-forge/spec/store-port';
import { FileValue, ValueRef } from '@cua-forge/spec/value';
import { z } from 'zod';
import { type FollowOptions, followEvents } from './follow-events.ts';
import { Http, type HttpOptions } from './http.ts';

type Sent<S extends z.ZodType> = z.input<S>;
const part = encodeURIComponent;

/** The HTTP API, typed. Every answer is parsed; every error is a ForgeError with the server's code. Runs in Node and in browsers. */
export class ApiClient {
  readonly http: Http;

  constructor(options: HttpOptions) {
    this.http = new Http(options);
  }

  health = () => this.http.json(Health, '/api/health');
  kinds = () => this.http.json(KindList, '/api/kinds');

  documents = () => this.http.json(DocumentList, '/api/documents');
  document = (id: string) => this.http.json(DocumentView, `/api/documents/${part(id)}`);
  saveDocument = (id: string, body: Sent<typeof SaveDocument>) =>
    this.http.json(DocumentView, `/api/documents/${part(id)}`, { method: 'PUT', json: body });
  validate = (source: string, file?: string) =>
    this.http.json(ValidateResult, '/api/validate', { method: 'POST', json: { source, file }, repeatable: true });
  pins = (id: string) =>
    this.http.json(z.record(z.string(), z.record(z.string(), ValueRef)), `/api/documents/${part(id)}/pins`);
  setPin = (id: string, key: string, outputs: Record<string, Json> | null) =>
    this.http.json(Done, `/api/documents/${part(id)}/pins/${part(key)}`, {
      method: 'PUT',
      json: { outputs },
      repeatable: true,
    });

  uploadFile = (name: string, bytes: Uint8Array<ArrayBuffer>) =>
    this.http.json(FileValue, '/api/files', { method: 'POST', query: { name }, bytes, repeatable: true });
  file = (hash: string) => this.http.bytes(`/api/files/${hash}`);
  value = (hash: string, index?: number) => this.http.json(Json, `/api/values/${hash}`, { query: { index } });

  startRun = (body: Sent<typeof StartRun>) =>
    this.http.json(RunRecord, '/api/runs', {
      method: 'POST',
      json: body,
      repeatable: body.idempotencyKey !== undefined,
    });
  runs = (
    query: {
      documentId?: string;
      batchId?: string;
      state?: string;
      failureCode?: string;
      limit?: number;
      cursor?: string;
    } = {},
  ) => this.http.json(RunList, '/api/runs', { query });
  run = (id: string) => this.http.json(RunView, `/api/runs/${part(id)}`);
  nodes = (id: string, query: { prefix?: string; status?: string; limit?: number; after?: string } = {}) =>
    this.http.json(NodeList, `/api/runs/${part(id)}/nodes`, { query });
  node = (id: string, key: string) => this.http.json(NodeDetail, `/api/runs/${part(id)}/node`, { query: { key } });
  retryRun = (id: string, body: Sent<typeof RetryRun>) =>
    this.http.json(RetryResult, `/api/runs/${part(id)}/retry`, { method: 'POST', json: body });
  approve = (id: string, body: Sent<typeof ApproveNode>) =>
    this.http.json(Done, `/api/runs/${part(id)}/approve`, { method: 'POST', json: body });
  cancelRun = (id: string) => this.http.json(Done, `/api/runs/${part(id)}/cancel`, { method: 'POST', json: {} });

  startBatch = (body: Sent<typeof StartBatch>) =>
    this.http.json(BatchRecord, '/api/batches', {
      method: 'POST',
      json: body,
      repeatable: body.idempotencyKey !== undefined,
    });
  batches = () => this.http.json(z.array(BatchRecord), '/api/batches');
  batch = (id: string) => this.http.json(BatchView, `/api/batches/${part(id)}`);
  retryBatch = (id: string, failureCode?: string) =>
    this.http.json(RetryBatchResult, `/api/batches/${part(id)}/retry`, { method: 'POST', json: { failureCode } });
  cancelBatch = (id: string) => this.http.json(Done, `/api/batches/${part(id)}/cancel`, { method: 'POST', json: {} });

  packages = (query: { batchId?: string; runId?: string; skill?: string; limit?: number } = {}) =>
    this.http.json(PackageList, '/api/packages', { query });
  package = (id: string) => this.http.json(PackageView, `/api/packages/${part(id)}`);

  /** Events as they happen, across breaks of the connection, each once, until the signal ends it. */
  events = (options: FollowOptions): AsyncGenerator<RunEvent> => followEvents(this.http, options);
}
