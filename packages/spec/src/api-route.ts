import { z } from 'zod';

/** What a user may do. Each role includes the ones before it. */
export const Role = z.enum(['viewer', 'author', 'operator']);
export type Role = z.infer<typeof Role>;

const rank: Record<Role, number> = { viewer: 0, author: 1, operator: 2 };
export const roleIncludes = (has: Role, needed: Role): boolean => rank[has] >= rank[needed];

/** Changes that the audit trail names. */
export const AuditAction = z.enum([
  'document.save',
  'document.publish',
  'document.propose',
  'pin.set',
  'file.upload',
  'run.start',
  'run.start-many',
  'run.retry',
  'run.approve',
  'run.cancel',
  'batch.start',
  'batch.retry',
  'batch.pause',
  'batch.resume',
  'batch.cancel',
  'evaluation.start',
  'evaluation.cancel',
  'budget.raise',
  'store.collect',
  'workers.use',
  'package.import',
  'package.review',
  'package.solution',
  'package.prove',
  'hook.create',
  'hook.rotate',
  'hook.delete',
  'hook.call',
  'webhook.create',
  'webhook.change',
  'webhook.delete',
  'webhook.test',
  'webhook.redeliver',
  'schedule.create',
  'schedule.change',
  'schedule.pause',
  'schedule.resume',
  'schedule.trigger',
  'schedule.delete',
  'run.import',
  'store.backup',
  'garbage.collect',
  'model.test',
  'playground.run',
  'desktop.start',
  'desktop.end',
  'desktop.control',
  'desktop.record',
  'session.open',
]);
export type AuditAction = z.infer<typeof AuditAction>;

/**
 * One address of the HTTP API. The server registers and checks requests by it, clients are derived from it, and the OpenAPI document
 * is written from it.
 */
export interface ApiRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Under `/api`; `:name` is a part of the path. */
  readonly path: `/${string}`;
  /** One sentence. */
  readonly summary: string;
  /** Who may; `anyone` needs no login. */
  readonly role: Role | 'anyone';
  /** The role is enough for runs that the user started; for those of others it takes an operator. The run is the path's `id`. */
  readonly own?: true;
  /** Parts of the path that are not just any text. */
  readonly params?: Readonly<Record<string, z.ZodType<string>>>;
  readonly query?: z.ZodObject;
  /** Schema of the JSON body, or raw bytes. */
  readonly body?: z.ZodType | 'bytes';
  /** Schema of the JSON answer, or a download, or server-sent events. */
  readonly answers: z.ZodType | 'bytes' | 'events';
  /** Of a successful answer. */
  readonly status?: 200 | 201;
  /** Takes an idempotency key: the same key and body get the same answer, another body is refused. */
  readonly starts?: true;
  /** Sending it twice does no more than sending it once. GET always is. */
  readonly repeatable?: true;
  /** What the audit trail records, and the members of the body that it keeps. Never values of people. */
  readonly audit?: { readonly action: AuditAction; readonly keep?: readonly string[] };
}

/** Names of the parts of a path: `/documents/:id/pins/:key` has `id` and `key`. */
export type PathName<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathName<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never;

/** One text for each part of a path, in order. */
export type PathParts<P extends string> = P extends `${string}:${string}/${infer Rest}`
  ? [string, ...PathParts<`/${Rest}`>]
  : P extends `${string}:${string}`
    ? [string]
    : [];

export type Parsed<R extends ApiRoute, Part extends 'query' | 'body'> =
  R extends Record<Part, infer S>
    ? S extends z.ZodType
      ? z.output<S>
      : S extends 'bytes'
        ? Uint8Array<ArrayBuffer>
        : undefined
    : undefined;

export type Sent<S> = S extends z.ZodType ? z.input<S> : S extends 'bytes' ? Uint8Array<ArrayBuffer> : never;

export const pathNames = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '');
