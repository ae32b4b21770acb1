import { z } from 'zod';
import type { SetupOperation } from './task.ts';
import { FileValue } from './value.ts';

/** Something that has to hold after an operation, and what was seen of it. */
export const PostCondition = z.strictObject({
  what: z.string(),
  expected: z.string(),
  seen: z.string(),
  ok: z.boolean(),
});
export type PostCondition = z.infer<typeof PostCondition>;

export const OperationReport = z.strictObject({
  /** Place among the operations from 1, and what it does: `2-open`. */
  id: z.string(),
  op: z.string(),
  /** What it is about: a path, an application, a window, a setting. */
  about: z.string(),
  seconds: z.number().min(0),
  conditions: z.array(PostCondition).min(1),
});
export type OperationReport = z.infer<typeof OperationReport>;

/** How a desktop was prepared. Every condition in it held; where one does not, there is an error instead. */
export const SetupReport = z.strictObject({
  provider: z.enum(['docker', 'bubblewrap']),
  image: z.string(),
  seconds: z.number().min(0),
  operations: z.array(OperationReport),
  /** Seconds of a second run of the whole script, after which every condition was looked at again; null where none was asked for. */
  again: z.strictObject({ seconds: z.number().min(0) }).nullable(),
  /** The prepared desktop as a PNG; null where nothing keeps it. */
  screenshot: FileValue.nullable(),
});
export type SetupReport = z.infer<typeof SetupReport>;

/** What a desktop is prepared from. */
export interface SetupTask {
  operations: readonly SetupOperation[];
  /** The package's own script, which has to be the one that the operations make. */
  script: string | null;
  read(file: FileValue): Promise<Uint8Array>;
}

export interface PrepareOptions {
  signal: AbortSignal;
  progress?: (message: string, fraction: number) => void;
  /** Keeps a screenshot; that of a failure is named in its message. */
  keep?: (name: string, mediaType: string, bytes: Uint8Array) => Promise<FileValue>;
  /** Runs the whole script once more and looks at everything again; true without. */
  again?: boolean;
}
