import type { ForgeError } from './errors.ts';
import type { Sandbox, SandboxOptions } from './sandbox-port.ts';

/** Desktops for a node while it works. */
export interface SandboxesPort {
  /** Why there are none on this worker, with what to install; null where there are. Rooms that are all taken are no reason. */
  missing(options?: Partial<SandboxOptions>): Promise<ForgeError | null>;
  /**
   * Gives a fresh desktop to `work` and ends it afterwards, whatever happens. Its lease names run and node, so that a repeat of
   * a node whose worker has died ends what that left behind. Waits while all rooms are taken.
   * @throws ForgeError `sandbox.unavailable` or `tool.missing` where there are none, `node.cancelled`, and what `work` throws
   */
  use<T>(options: Partial<SandboxOptions>, work: (sandbox: Sandbox) => Promise<T>): Promise<T>;
}
