import type { Check } from '@cua-forge/spec/check';
import { checkProblems } from '@cua-forge/spec/check-compile';
import type { Look } from '@cua-forge/spec/check-look';
import { z } from 'zod';
import { evaluators, reasons } from './map-evaluators.ts';
import { type ImportedOperation, mapStep } from './map-setup.ts';
import { commandOutput } from './map-values.ts';
import { type OsworldEvaluator, type OsworldGetter, type OsworldStep, OsworldTask } from './osworld-task.ts';

interface Part {
  name: string;
  status: 'maps' | 'partly' | 'no';
  /** What is lacking; empty where all maps. */
  why: string;
}

/** What of one task can be said here. */
export interface TaskReport {
  id: string;
  domain: string;
  setup: Part[];
  evaluators: Part[];
  /** Steps that the original carries out before it looks, such as saving; an agent has to do them here. */
  before: string[];
  /** The same with their parameters, and waiting. */
  beforeSteps: OsworldStep[];
  operations: ImportedOperation[];
  /** The check of the end state, where all evaluators map. */
  check: Check | null;
  /** Setup and check map wholly, and nothing has to be done before the check. */
  whole: boolean;
}

export interface ImportReport {
  tasks: TaskReport[];
  unreadable: { place: string; why: string }[];
  totals: {
    tasks: number;
    setupMaps: number;
    checkMaps: number;
    checkPartly: number;
    whole: number;
    /** By name: how many there are, and how many map. */
    steps: Record<string, { all: number; map: number; partly: number }>;
    evaluators: Record<string, { all: number; map: number; partly: number }>;
  };
}

const at = <T>(list: readonly T[] | undefined, index: number): T | undefined => list?.[index];
const getter = (given: OsworldGetter | Record<string, never> | null | undefined): OsworldGetter | undefined =>
  given !== null && given !== undefined && typeof given.type === 'string' ? { ...given, type: given.type } : undefined;

const Printing = z.object({
  command: z.union([z.string().min(1), z.array(z.string()).min(1)]),
  stdout: z.string().min(1),
  shell: z.boolean().default(false),
});

/** A step before the check that only writes the output of a command into a file, which the check then looks at. */
function printed({ parameters }: OsworldStep): { name: string; see: Look } | undefined {
  const parsed = Printing.safeParse(parameters);
  return parsed.success
    ? { name: parsed.data.stdout, see: commandOutput(parsed.data.command, parsed.data.shell) }
    : undefined;
}

function mapEvaluator(evaluator: OsworldEvaluator): { parts: Part[]; check: Check | null } {
  const checks: Check[] = [];
  const produced = new Map(
    evaluator.postconfig
      .map(printed)
      .filter((one) => one !== undefined)
      .map(({ name, see }) => [name, see]),
  );
  const parts = evaluator.func.map((name, index): Part => {
    const map = Object.hasOwn(evaluators, name) ? evaluators[name] : undefined;
    if (map === undefined) return { name, status: 'no', why: reasons[name] ?? 'there is no counterpart' };
    const mapped = map({
      result: getter(at(evaluator.result, index)),
      expected: getter(at(evaluator.expected, index)),
      options: at(evaluator.options, index) ?? {},
      produced,
    });
    if ('why' in mapped) return { name, status: 'no', why: mapped.why };
    const [problem] = checkProblems(mapped.check);
    if (problem !== undefined) return { name, status: 'no', why: `the check decides nothing: ${problem}` };
    checks.push(mapped.check);
    return { name, status: mapped.partly === undefined ? 'maps' : 'partly', why: mapped.partly ?? '' };
  });
  if (checks.length < parts.length) return { parts, check: null };
  const [first] = checks;
  const whole: Check | undefined =
    checks.length < 2 ? first : evaluator.conj === 'or' ? { any: checks } : { all: checks };
  return { parts, check: whole !== undefined && checkProblems(whole).length === 0 ? whole : null };
}

/** Maps one task. Pure: nothing is downloaded. */
export function reportTask(task: OsworldTask, domain: string): TaskReport {
  const steps = task.config.map(mapStep);
  const { parts, check } = mapEvaluator(task.evaluator);
  const beforeSteps = task.evaluator.postconfig.filter((step) => printed(step) === undefined);
  const before = beforeSteps.map(({ type }) => type).filter((type) => type !== 'sleep');
  const setup = steps.map(
    ({ type, why }): Part => ({ name: type, status: why === undefined ? 'maps' : 'no', why: why ?? '' }),
  );
  return {
    id: task.id,
    domain,
    setup,
    evaluators: parts,
    before,
    beforeSteps,
    operations: steps.flatMap(({ operations }) => operations),
    check,
    whole:
      check !== null &&
      parts.every(({ status }) => status === 'maps') &&
      setup.every(({ status }) => status === 'maps') &&
      before.length === 0,
  };
}

/** Reads files of JSON lines, or of one task each, and reports on every task. Lines that are no task are named, with the reason. */
export function reportOsworld(files: readonly { name: string; text: string }[]): ImportReport {
  const tasks: TaskReport[] = [];
  const unreadable: ImportReport['unreadable'] = [];
  for (const { name, text } of files) {
    const domain = (name.split('/').at(-1) ?? name).replace(/\.jsonl?$/, '');
    const pieces = name.endsWith('.jsonl') ? text.split('\n') : [text];
    pieces.forEach((piece, index) => {
      if (piece.trim() === '') return;
      const place = `${name}:${index + 1}`;
      try {
        const parsed = OsworldTask.safeParse(JSON.parse(piece));
        if (parsed.success) tasks.push(reportTask(parsed.data, domain));
        else
          unreadable.push({
            place,
            why: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
          });
      } catch (thrown) {
        unreadable.push({ place, why: thrown instanceof Error ? thrown.message : String(thrown) });
      }
    });
  }
  return { tasks, unreadable, totals: totalsOf(tasks) };
}

function totalsOf(tasks: readonly TaskReport[]): ImportReport['totals'] {
  const counted = (parts: readonly Part[]) => {
    const found: Record<string, { all: number; map: number; partly: number }> = {};
    for (const { name, status } of parts) {
      const { all, map, partly } = found[name] ?? { all: 0, map: 0, partly: 0 };
      found[name] = {
        all: all + 1,
        map: map + (status === 'maps' ? 1 : 0),
        partly: partly + (status === 'partly' ? 1 : 0),
      };
    }
    return found;
  };
  const count = (holds: (task: TaskReport) => boolean) => tasks.filter(holds).length;
  return {
    tasks: tasks.length,
    setupMaps: count(({ setup }) => setup.every(({ status }) => status === 'maps')),
    checkMaps: count(
      ({ check, evaluators: parts }) => check !== null && parts.every(({ status }) => status === 'maps'),
    ),
    checkPartly: count(
      ({ check, evaluators: parts }) => check !== null && parts.some(({ status }) => status === 'partly'),
    ),
    whole: count(({ whole }) => whole),
    steps: counted(tasks.flatMap(({ setup }) => setup)),
    evaluators: counted(tasks.flatMap((task) => task.evaluators)),
  };
}
