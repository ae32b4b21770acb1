import { evaluateChecks } from '@cua-forge/checks/evaluate';
import { type Check, type CheckResult, leavesOf } from '@cua-forge/spec/check';
import { type CompiledChecks, compileChecks } from '@cua-forge/spec/check-compile';
import type { StateReader } from '@cua-forge/spec/state-reader';
import type { ProofContext } from './ground.ts';
import { mustChecks, type Subject } from './subject.ts';

/** Checks of the must criteria by the ids of their criteria. @throws ForgeError `params.invalid` for checks that decide nothing */
export function compiledMusts(subject: Subject): CompiledChecks {
  const checks = mustChecks(subject).flatMap(({ id, check }) => (check === null ? [] : [{ id, check: check.check }]));
  return compileChecks({ schema: 1, checks });
}

export interface Judgement {
  /** Must criteria that hold, and that do not. */
  passed: string[];
  failed: string[];
  /** The first place of each criterion that did not hold. Values are left out: they are answers. */
  places: Map<string, string>;
}

export interface Judge {
  (reader: StateReader): Promise<Judgement>;
  /** Whether any must criterion fails: looks no further than it has to, and first at what needs no application. */
  anyFails(reader: StateReader): Promise<boolean>;
}

/** Judges states by the must criteria of a package. */
export function judgeOf(subject: Subject, musts: CompiledChecks, { office, signal }: ProofContext): Judge {
  const evaluated = (checks: CompiledChecks, reader: StateReader) =>
    evaluateChecks(checks, { reader, references: subject.references, office, signal });
  const judge = async (reader: StateReader): Promise<Judgement> => {
    const results = await evaluated(musts, reader);
    const entries = [...results];
    return {
      passed: entries.flatMap(([id, { ok }]) => (ok ? [id] : [])),
      failed: entries.flatMap(([id, { ok }]) => (ok ? [] : [id])),
      places: new Map(entries.flatMap(([id, result]) => (result.ok ? [] : [[id, firstFault(result)] as const]))),
    };
  };
  const quickFirst = [...musts].sort(([, one], [, other]) => Number(isShown(one)) - Number(isShown(other)));
  const anyFails = async (reader: StateReader): Promise<boolean> => {
    for (const [id, check] of quickFirst)
      if ((await evaluated(new Map([[id, check]]), reader)).get(id)?.ok !== true) return true;
    return false;
  };
  return Object.assign(judge, { anyFails });
}

/** Whether a check asks what is on the screen, which the application has to work out. */
const isShown = (check: Check): boolean =>
  leavesOf(check).some(({ see }) => 'of' in see && String(see.of).startsWith('shown-'));

const firstFault = ({ evidence }: CheckResult): string => {
  const fault = evidence.find(({ held }) => held !== 'yes');
  if (fault === undefined) return 'what should not hold holds';
  return `${fault.where}${fault.held === 'missing' ? ' is not there' : ''}`;
};

/** A state with some files as given instead: null for those that are not there. */
export function withFiles(state: StateReader, changed: ReadonlyMap<string, Uint8Array | null>): StateReader {
  return {
    ...state,
    readFile: async (path) => {
      const own = changed.get(path);
      return own === undefined ? state.readFile(path) : own;
    },
    listFiles: (path) => state.listFiles(path),
  };
}
