import { type ApiRoute, type PathParts, pathNames, type Sent } from '@cua-forge/spec/api-route';
import { z } from 'zod';
import type { Http, HttpRequest } from './http.ts';

/** One argument that may be left out where all its members may. */
type Argument<S> = Record<never, never> extends Sent<S> ? [value?: Sent<S>] : [value: Sent<S>];
type BodyOf<R> = R extends { readonly body: infer B } ? Argument<B> : [];
type QueryOf<R> = R extends { readonly query: infer Q } ? Argument<Q> : [];
type AnswerOf<R extends ApiRoute> = R['answers'] extends z.ZodType ? z.output<R['answers']> : Uint8Array;

/** A route as a function: the parts of its path in order, then its body, then its query. */
type Method<R extends ApiRoute> = (
  ...given: [...PathParts<R['path']>, ...BodyOf<R>, ...QueryOf<R>]
) => Promise<AnswerOf<R>>;

export type Methods<Routes extends Readonly<Record<string, ApiRoute>>> = {
  readonly [Name in keyof Routes]: Method<Routes[Name]>;
};

const Query = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.undefined()]));
const Bytes = z.instanceof(Uint8Array<ArrayBuffer>);

/** The routes of a table as functions, typed. Every answer is parsed; every error is a ForgeError with the server's code. */
export function methodsOf<Routes extends Readonly<Record<string, ApiRoute>>>(
  http: Http,
  routes: Routes,
): Methods<Routes> {
  const methods = Object.fromEntries(Object.entries(routes).map(([name, route]) => [name, methodOf(http, route)]));
  // The table that these functions are made from is the one that their types are made from.
  return methods as unknown as Methods<Routes>;
}

function methodOf(http: Http, route: ApiRoute): (...given: unknown[]) => Promise<unknown> {
  const names = pathNames(route.path);
  return (...given) => {
    const parts = given.slice(0, names.length);
    const rest = given.slice(names.length);
    const path = names.reduce(
      (text, name, index) => text.replace(`:${name}`, encodeURIComponent(String(parts[index]))),
      `/api${route.path}`,
    );
    const body = route.body === undefined ? undefined : rest.shift();
    const query = route.query === undefined ? undefined : rest.shift();
    const request: HttpRequest = {
      method: route.method,
      ...(query === undefined ? {} : { query: Query.parse(query) }),
      ...(route.body === 'bytes' ? { bytes: Bytes.parse(body) } : {}),
      ...(route.body === 'bytes' || route.method === 'GET' ? {} : { json: body ?? {} }),
      ...(route.starts === true ? { idempotencyKey: crypto.randomUUID() } : {}),
      repeatable: route.method === 'GET' || route.repeatable === true || route.starts === true,
    };
    return typeof route.answers === 'string' ? http.bytes(path, request) : http.json(route.answers, path, request);
  };
}
