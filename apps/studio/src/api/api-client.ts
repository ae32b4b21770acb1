import * as Api from '@cua-forge/spec/api';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json, type JsonObject } from '@cua-forge/spec/json';
import { RunRecord } from '@cua-forge/spec/store-port';
import { FileValue, type ValueRef } from '@cua-forge/spec/value';
import { z } from 'zod';

/** Called after each request: whether the server answered at all. */
type Reach = (reached: boolean) => void;
let onReach: Reach = () => {};
export function watchReach(listener: Reach): void {
  onReach = listener;
}

const enc = encodeURIComponent;

/** @throws ForgeError the server's own failure, or `server.unreachable` when there was no answer */
async function call<T>(schema: z.ZodType<T>, path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    onReach(false);
    throw new ForgeError('server.unreachable', 'The server does not answer.', {
      fix: 'Start it (npm start) and try again; nothing in this window is lost.',
      cause,
    });
  }
  const text = await response.text();
  if (!response.ok) {
    const failure = Api.ApiError.safeParse(parseJson(text));
    // A proxy in between answers in its own words when the server behind it is away.
    onReach(failure.success || response.status < 500);
    if (failure.success) {
      const { code, message, fix, place } = failure.data.error;
      throw new ForgeError(code, message, { fix, place });
    }
    const gone = response.status >= 502;
    throw new ForgeError(
      gone ? 'server.unreachable' : 'internal',
      gone ? 'The server does not answer.' : `The server answered ${response.status} to ${path}.`,
      {
        fix: gone
          ? 'Start it (npm start) and try again; nothing in this window is lost.'
          : 'Look at the log of the server.',
      },
    );
  }
  onReach(true);
  const parsed = schema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new ForgeError(
    'internal',
    `The answer to ${path} has another shape than this studio expects: ${z.prettifyError(parsed.error)}`,
    {
      fix: 'Reload the page: studio and server may be of different versions.',
      cause: parsed.error,
    },
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const body = (method: string, value: unknown): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

export interface RunQuery {
  documentId?: string;
  state?: string;
  cursor?: string;
}

export const api = {
  health: () => call(Api.Health, '/api/health'),
  kinds: () => call(Api.KindList, '/api/kinds'),
  documents: () => call(Api.DocumentList, '/api/documents'),
  document: (id: string) => call(Api.DocumentView, `/api/documents/${enc(id)}`),
  saveDocument: (id: string, save: Api.SaveDocument) =>
    call(Api.DocumentView, `/api/documents/${enc(id)}`, body('PUT', save)),
  validate: (source: string) => call(Api.ValidateResult, '/api/validate', body('POST', { source })),
  startRun: (run: z.input<typeof Api.StartRun>) => call(RunRecord, '/api/runs', body('POST', run)),
  runs: (query: RunQuery) => call(Api.RunList, `/api/runs?${new URLSearchParams({ limit: '50', ...query })}`),
  run: (id: string) => call(Api.RunView, `/api/runs/${enc(id)}`),
  nodes: (id: string, query: { prefix: string; status?: string; after?: string; limit?: string }) =>
    call(Api.NodeList, `/api/runs/${enc(id)}/nodes?${new URLSearchParams(query)}`),
  node: (id: string, key: string) => call(Api.NodeDetail, `/api/runs/${enc(id)}/node?key=${enc(key)}`),
  retry: (id: string, retry: z.input<typeof Api.RetryRun>) =>
    call(Api.RetryResult, `/api/runs/${enc(id)}/retry`, body('POST', retry)),
  approve: (id: string, approval: z.input<typeof Api.ApproveNode>) =>
    call(Api.Done, `/api/runs/${enc(id)}/approve`, body('POST', approval)),
  cancel: (id: string) => call(Api.Done, `/api/runs/${enc(id)}/cancel`, body('POST', {})),
  value: (ref: ValueRef) =>
    call(Json, `/api/values/${ref.hash}${ref.index === undefined ? '' : `?index=${ref.index}`}`),
  uploadFile: (file: File) =>
    call(FileValue, `/api/files?name=${enc(file.name)}`, {
      method: 'POST',
      headers: { 'content-type': file.type === '' ? 'application/octet-stream' : file.type },
      body: file,
    }),
  packages: (query: { runId?: string } = {}) => call(Api.PackageList, `/api/packages?${new URLSearchParams(query)}`),
  package: (id: string) => call(Api.PackageView, `/api/packages/${enc(id)}`),
  pins: (documentId: string) => call(z.record(z.string(), z.unknown()), `/api/documents/${enc(documentId)}/pins`),
  setPin: (documentId: string, key: string, outputs: JsonObject | null) =>
    call(z.unknown(), `/api/documents/${enc(documentId)}/pins/${enc(key)}`, body('PUT', { outputs })),
};

export const fileUrl = (file: { hash: string; name: string; mediaType: string }): string =>
  `/api/files/${file.hash}?${new URLSearchParams({ name: file.name, type: file.mediaType })}`;
export const archiveUrl = (id: string): string => `/api/packages/${enc(id)}/archive`;

/** Text of a stored file. @throws ForgeError */
export async function fileText(file: FileValue): Promise<string> {
  const response = await fetch(fileUrl(file));
  if (!response.ok) throw new ForgeError('artifact.missing', `The bytes of ${file.name} are not in the store.`);
  return response.text();
}
