import type { OfficePort } from '@cua-forge/spec/kind';
import type { ProofLine } from '@cua-forge/spec/proof';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import type { StateReader } from '@cua-forge/spec/state-reader';
import type { Subject } from './subject.ts';

/** A desktop that a package is proven on. */
export interface Desk {
  readonly sandbox: Sandbox;
  /** Reads its state as it is now. */
  readonly state: StateReader;
  /** Carries out the operations of the setup, with a line for each and a picture of the prepared desktop. @throws ForgeError of the operation that failed */
  prepare(signal: AbortSignal): Promise<{ lines: ProofLine[]; screenshot: Uint8Array | null }>;
}

/** Where packages are proven. */
export interface Ground {
  /**
   * Gives a desktop that nobody has used to `work`, and ends it afterwards. `clock` is what its programs see as now.
   * @throws ForgeError `sandbox.unavailable`, `tool.missing`, and what `work` throws
   */
  use<T>(subject: Subject, options: { clock?: string }, work: (desk: Desk) => Promise<T>): Promise<T>;
}

/** What a proof needs besides the desktop. */
export interface ProofContext {
  office: Pick<OfficePort, 'convert'>;
  signal: AbortSignal;
  progress(message: string, fraction: number): void;
}
