import { z } from 'zod';
import { MouseButton, ScreenPoint, ScrollDirection } from './sandbox-messages.ts';

/** A file beside `solution.json`, by its path relative to `hidden/solution`. */
export const SolutionPath = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_][A-Za-z0-9._-]*)*$/, 'a relative path of plain names');

const seconds = z.number().int().min(1).max(1_800).default(120);

/**
 * A program that does the work in a prepared desktop, as its user, in the home folder. `hidden/solution` lies beside it while it runs, in the
 * folder that SOLUTION_FOLDER names. `uno` is Python, too; a LibreOffice without windows listens meanwhile on the pipe that SOLUTION_PIPE names.
 * It succeeds with exit code 0, and all that it changes has to be in files then.
 */
export const SolutionScript = z.strictObject({
  how: z.literal('script'),
  language: z.enum(['python', 'bash', 'uno']),
  entry: SolutionPath,
  args: z.array(z.string()).default([]),
  timeoutSeconds: seconds,
});

/** What a person's hands did, or would do: `entry` is a `RecordedActions` file. It ends with what saves the work. */
export const SolutionActions = z.strictObject({
  how: z.literal('actions'),
  entry: SolutionPath,
  timeoutSeconds: seconds,
});

export const SolutionRun = z.discriminatedUnion('how', [SolutionScript, SolutionActions]);
export type SolutionRun = z.infer<typeof SolutionRun>;

/** A solution with one thing wrong: it fails the check of one criterion and no other. */
export const SolutionMutant = z.strictObject({
  /** Id of the must criterion that fails. */
  criterion: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** What is wrong with it, in words that give no answer away. */
  doc: z.string().min(1),
  /** `setup`: done instead of the solution; `solution`: spoils what the solution has done. */
  after: z.enum(['setup', 'solution']).default('setup'),
  run: SolutionRun,
});
export type SolutionMutant = z.infer<typeof SolutionMutant>;

/** `hidden/solution/solution.json` of a task package. */
export const SolutionFile = z.strictObject({
  schema: z.literal(1),
  /** What it works with, for people: `openpyxl`, `LibreOffice`, `mouse and keyboard`. Neither the preparer nor the evaluator of the checks. */
  through: z.string().min(1),
  run: SolutionRun,
  mutants: z.array(SolutionMutant).default([]),
});
export type SolutionFile = z.infer<typeof SolutionFile>;

/** A reference solution with its files, as it goes to `hidden/solution`. */
export const ReferenceSolution = z.strictObject({
  solution: SolutionFile,
  files: z.array(z.strictObject({ path: SolutionPath, text: z.string() })).min(1),
});
export type ReferenceSolution = z.infer<typeof ReferenceSolution>;

const modifiers = z.array(z.string()).default([]);
const at = z.number().min(0).describe('Milliseconds since the recording began');

/** One thing that is done with mouse and keyboard, or waited for. Points count in pixels of the recorded screen. */
export const RecordedAction = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('move'), at, point: ScreenPoint }),
  z.strictObject({
    do: z.literal('click'),
    at,
    point: ScreenPoint,
    button: MouseButton.default('left'),
    count: z.number().int().min(1).max(3).default(1),
    modifiers,
  }),
  z.strictObject({
    do: z.literal('drag'),
    at,
    path: z.array(ScreenPoint).min(2).max(10_000),
    button: MouseButton.default('left'),
    modifiers,
    durationMs: z.number().min(0).default(0),
  }),
  z.strictObject({
    do: z.literal('scroll'),
    at,
    point: ScreenPoint,
    direction: ScrollDirection,
    clicks: z.number().int().min(1).max(1_000).default(1),
    modifiers,
  }),
  z.strictObject({ do: z.literal('type'), at, text: z.string().min(1).max(100_000) }),
  z.strictObject({
    do: z.literal('key'),
    at,
    combination: z.string().min(1),
    count: z.number().int().min(1).max(1_000).default(1),
  }),
  z.strictObject({
    do: z.literal('wait-window'),
    at,
    title: z.string().optional(),
    class: z.string().optional(),
    timeoutMs: z.number().int().min(1).max(600_000).default(60_000),
  }),
  z.strictObject({ do: z.literal('wait-still'), at, timeoutMs: z.number().int().min(1).max(600_000).default(30_000) }),
]);
export type RecordedAction = z.infer<typeof RecordedAction>;

/** A recorded demonstration. Replaying waits for still pixels between actions rather than for the times, which are for people. */
export const RecordedActions = z.strictObject({
  schema: z.literal(1),
  screen: z.strictObject({ width: z.number().int().min(1), height: z.number().int().min(1) }),
  actions: z.array(RecordedAction).min(1).max(100_000),
});
export type RecordedActions = z.infer<typeof RecordedActions>;
