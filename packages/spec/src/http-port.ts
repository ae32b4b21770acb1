import { z } from 'zod';

export const HttpMethod = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
export type HttpMethod = z.infer<typeof HttpMethod>;

/** One request. Header names are in lower case. */
export interface HttpRequest {
  method: HttpMethod;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Headers with secrets: sent to the origin of `url` alone, never to where it redirects, and not in clear over the internet. */
  secretHeaders: Readonly<Record<string, string>>;
  body: Uint8Array | null;
  /** Milliseconds for everything, redirects included. */
  timeoutMs: number;
  /** Bytes that the unpacked answer may have. */
  maxBytes: number;
  maxRedirects: number;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case; several of one name are joined by commas. Cookies are left out. */
  headers: Record<string, string>;
  body: Uint8Array;
  /** Where the answer came from, after redirects. */
  url: string;
}

/** HTTP to the hosts that the operator allows. */
export interface HttpPort {
  /**
   * Gives the answer whatever its status. Messages hold neither headers nor bodies nor the query of the URL.
   * @throws ForgeError `http.refused` (host or address not allowed), `http.unavailable` (no connection, no answer in time),
   * `http.too-large`; `node.cancelled` when aborted
   */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
}
