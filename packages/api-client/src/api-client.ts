import { type ApiRoutes, apiRoutes } from '@cua-forge/spec/api-routes';
import type { RunEvent } from '@cua-forge/spec/store-port';
import { type FollowOptions, followEvents } from './follow-events.ts';
import { Http, type HttpOptions } from './http.ts';
import { type Methods, methodsOf } from './methods.ts';

/** The whole HTTP API, typed. Runs in Node and in browsers. */
export type ApiClient = Omit<Methods<ApiRoutes>, 'events'> & {
  readonly http: Http;
  /** Events as they happen, across breaks of the connection, each once, until the signal ends it. */
  events(options: FollowOptions): AsyncGenerator<RunEvent>;
};

export function createApiClient(options: HttpOptions): ApiClient {
  const http = new Http(options);
  return { ...methodsOf(http, apiRoutes), http, events: (follow) => followEvents(http, follow) };
}
