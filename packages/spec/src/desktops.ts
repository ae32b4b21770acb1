import { z } from 'zod';
import { SandboxInfo, SandboxOptions } from './sandbox-port.ts';
import { RecordedActions } from './solution.ts';

/** What a person does on a desktop is being kept, to become a demonstration. */
export const DesktopRecording = z.strictObject({
  /** Epoch milliseconds. */
  startedAt: z.number().int(),
  by: z.string(),
  /** Moves, clicks and keys so far. */
  events: z.number().int().nonnegative(),
});
export type DesktopRecording = z.infer<typeof DesktopRecording>;

/** A sandbox as people look at it. */
export const Desktop = SandboxInfo.extend({
  /** The run and the package that it serves, where its lease names them. */
  runId: z.string().nullable(),
  packageId: z.string().nullable(),
  /** People that look at it now, and who of them has mouse and keyboard. */
  watchers: z.number().int().nonnegative(),
  controlledBy: z.array(z.string()),
  recording: DesktopRecording.nullable(),
});
export type Desktop = z.infer<typeof Desktop>;

export const DesktopList = z.strictObject({
  desktops: z.array(Desktop),
  /** Why some cannot be seen: a provider that is missing, a machine that does not answer. */
  problems: z.array(z.string()),
});
export type DesktopList = z.infer<typeof DesktopList>;

export const StartDesktop = z.strictObject({
  provider: SandboxInfo.shape.provider.default('docker'),
  target: SandboxOptions.shape.target,
  width: SandboxOptions.shape.width,
  height: SandboxOptions.shape.height,
  packageId: z.string().min(1).nullable().default(null).describe('The task package whose desktop is prepared in it'),
});
export type StartDesktop = z.infer<typeof StartDesktop>;

/** Where a browser opens the view: a WebSocket that carries RFB, for a short while. */
export const DesktopView = z.strictObject({
  path: z.string(),
  /** Epoch milliseconds. */
  expiresAt: z.number().int(),
});
export type DesktopView = z.infer<typeof DesktopView>;

/** A recording that has ended; null when nothing was done. */
export const EndedRecording = z.strictObject({ seconds: z.number(), recording: RecordedActions.nullable() });
export type EndedRecording = z.infer<typeof EndedRecording>;

export const KeepDemonstration = z.strictObject({ recording: RecordedActions });

/** What a lease says: nodes of a run lend as `RUN#TOKEN KEY`, people as `user=NAME package=ID`. */
export function leaseOf(lease: string): { runId: string | null; packageId: string | null } {
  return {
    runId: /^(?:trial )?([\w.:-]+)#/.exec(lease)?.[1] ?? null,
    packageId: /(?:^| )package=(\S+)/.exec(lease)?.[1] ?? null,
  };
}
