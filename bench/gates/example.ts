import type { JsonObject } from '@cua-forge/spec/json';
import type { Kind } from '@cua-forge/spec/kind';
import type { MemoryFiles } from '@cua-forge/testing/run-kind';

/** What a gate is shown, and what it should say. */
export interface GateExample {
  name: string;
  /** The planted fault and the check whose line of evidence must fail; null for a good example. */
  fault: { kind: string; check: string } | null;
  params?: JsonObject;
  inputs: Record<string, unknown>;
  /** Holds the files among the inputs. */
  files?: MemoryFiles;
}

export interface GateCorpus {
  gate: Kind;
  examples(): Promise<GateExample[]>;
}

type Shown = Pick<GateExample, 'inputs' | 'params' | 'files'>;

export const good = (name: string, shown: Shown): GateExample => ({ name, fault: null, ...shown });

/** `check` is the name, or the start of the name, of the check that must fail. */
export const bad = (kind: string, check: string, name: string, shown: Shown): GateExample => ({
  name,
  fault: { kind, check },
  ...shown,
});

/** A copy that may be changed. */
export function changed<T>(value: T, change: (copy: T) => void): T {
  const copy = structuredClone(value);
  change(copy);
  return copy;
}

/** The member at a place, counted round and round. */
export function at<T>(list: readonly T[], index: number): T {
  const member = list[index % list.length];
  if (member === undefined) throw new Error('an empty list has no members');
  return member;
}
