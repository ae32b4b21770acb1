import type { ApiRoute, Parsed, PathName } from '@cua-forge/spec/api-route';
import type { ApiRoutes, RouteName } from '@cua-forge/spec/api-routes';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { User } from '../security/user.ts';

/** Bytes that are sent as a download. */
export interface Download {
  bytes: Uint8Array;
  name: string;
  mediaType: string;
}

/** A request whose parts have been checked against the route's schemas. */
export interface Call<R extends ApiRoute> {
  params: Readonly<Record<PathName<R['path']>, string>>;
  query: Parsed<R, 'query'>;
  body: Parsed<R, 'body'>;
  /** Null only where the route is open to anyone. */
  user: User | null;
  request: Request;
  /** For server-sent events, which the handler writes itself. */
  response: Response;
}

export type Answer<R extends ApiRoute> = R['answers'] extends z.ZodType
  ? z.input<R['answers']>
  : R['answers'] extends 'bytes'
    ? Download
    : undefined;

/** What answers to each route of the table. */
export type Handlers = {
  readonly [Name in RouteName]: (call: Call<ApiRoutes[Name]>) => Promise<Answer<ApiRoutes[Name]>>;
};
export type HandlersOf<Name extends RouteName> = Pick<Handlers, Name>;

/** A request to any route. */
export interface AnyCall {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  user: User | null;
  request: Request;
  response: Response;
}
