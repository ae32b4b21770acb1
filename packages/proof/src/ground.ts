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
  close(): Promise<void>;
}

/** Where packages are proven. */
export interface Ground {
  readonly provider: string;
  readonly image: string | null;
  /** A desktop that nobody has used. `clock` is what its programs see as now. @throws ForgeError `sandbox.unavailable`, `tool.missing` */
  desk(subject: Subject, options: { clock?: string }, signal: AbortSignal): Promise<Desk>;
}

/** What a proof needs besides the desktop. */
export interface ProofContext {
  office: Pick<OfficePort, 'convert'>;
  signal: AbortSignal;
  progress(message: string, fraction: number): void;
}
