import { z } from 'zod';
import { NamedCheck } from './check.ts';
import { Json } from './json.ts';
import { PageDocument } from './page-document.ts';
import { ProofSummary } from './proof.ts';
import {
  DesktopOperation,
  EnvOperation,
  MailOperation,
  ServiceOperation,
  WaitWindowOperation,
  WindowOperation,
} from './setup-operations.ts';
import { ReferenceSolution } from './solution.ts';
import { TextDocument } from './text-document.ts';
import { FileValue } from './value.ts';
import { CellRange, CellStyle, ConditionalFormat, DefinedName, TableObject, Validation } from './workbook-features.ts';

const Line = z
  .string()
  .min(1)
  .regex(/^[^\r\n]*$/, 'one line');

/** A cell of a sheet. Dates are ISO strings with `type: 'date'` in the column; formulas carry their cached result where known. */
export const Cell = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({
    formula: z.string().min(1),
    result: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
  }),
]);
export type Cell = z.infer<typeof Cell>;

export const ColumnType = z.enum(['text', 'integer', 'number', 'currency', 'percent', 'date', 'boolean']);
export type ColumnType = z.infer<typeof ColumnType>;

export const Column = z.strictObject({
  name: z.string(),
  type: ColumnType,
  /** Spreadsheet number format, for example `#,##0.00` or `yyyy-mm-dd`. */
  format: z.string().optional(),
  /** Width in characters. */
  width: z.number().positive().optional(),
});
export type Column = z.infer<typeof Column>;

/** One table on one sheet. Rows and columns are counted from 1, as in a spreadsheet. */
export const Sheet = z.strictObject({
  name: z.string().min(1).max(31),
  /** Free cells above or beside the table, by address. */
  notes: z.record(z.string().regex(/^[A-Z]{1,3}[1-9][0-9]*$/), Cell),
  /** Row and column of the table's first header cell. */
  headerRow: z.number().int().min(1),
  firstColumn: z.number().int().min(1),
  columns: z.array(Column).min(1),
  rows: z.array(z.array(Cell)),
  style: z.strictObject({
    /** ARGB without '#', for example FF1F4E78. */
    headerFill: z
      .string()
      .regex(/^[0-9A-F]{8}$/)
      .optional(),
    headerFont: z
      .string()
      .regex(/^[0-9A-F]{8}$/)
      .optional(),
    banded: z.boolean().optional(),
    freezeHeader: z.boolean().optional(),
    autoFilter: z.boolean().optional(),
    /** Columns from the left edge that stay in view. */
    frozenColumns: z.number().int().min(1).optional(),
  }),
  /** How single cells look; later ones win. */
  cellStyles: z.array(z.strictObject({ range: CellRange, style: CellStyle })).optional(),
  /** Set where the table is an Excel table object. */
  table: TableObject.optional(),
  merges: z.array(CellRange).optional(),
  conditionalFormats: z.array(ConditionalFormat).optional(),
  validations: z.array(Validation).optional(),
});
export type Sheet = z.infer<typeof Sheet>;

/** A workbook as data: what `data.file` reads and the `xlsx` preparer writes. */
export const Workbook = z.strictObject({
  sheets: z.array(Sheet).min(1),
  /** Name of the sheet that is shown first. */
  activeSheet: z.string().optional(),
  definedNames: z.array(DefinedName).optional(),
});
export type Workbook = z.infer<typeof Workbook>;

/** A flat table: what the `csv` preparer writes. */
export const Table = z.strictObject({
  columns: z.array(Column).min(1),
  rows: z.array(z.array(Cell)),
});
export type Table = z.infer<typeof Table>;

/** A Markdown document by its blocks. Texts may hold inline Markdown, but no line breaks. */
export const MarkdownContent = z
  .array(
    z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('heading'), level: z.number().int().min(1).max(6), text: Line }),
      z.strictObject({ type: z.literal('paragraph'), text: Line }),
      z.strictObject({ type: z.literal('list'), ordered: z.boolean(), items: z.array(Line).min(1) }),
      z.strictObject({
        type: z.literal('tasks'),
        items: z.array(z.strictObject({ text: Line, done: z.boolean() })).min(1),
      }),
      z.strictObject({ type: z.literal('quote'), text: Line }),
      z.strictObject({ type: z.literal('code'), language: z.string().regex(/^[\w+#-]*$/), text: z.string() }),
      z.strictObject({ type: z.literal('table'), columns: z.array(Column).min(1), rows: z.array(z.array(Cell)) }),
      z.strictObject({ type: z.literal('rule') }),
    ]),
  )
  .min(1);
export type MarkdownContent = z.infer<typeof MarkdownContent>;

/** Absolute path inside the sandbox. */
export const SandboxPath = z
  .string()
  .regex(/^\/(?:[^/\0]+\/)*[^/\0]+$/, 'an absolute path inside the sandbox')
  .refine((path) => !path.split('/').some((part) => part === '..' || part === '.'), 'a path without . and ..');

/** A file that must be there when the task starts. `content` is what its preparer makes it from. */
export const RequiredFile = z.discriminatedUnion('type', [
  z.strictObject({ id: z.string(), path: SandboxPath, type: z.literal('xlsx'), content: Workbook }),
  z.strictObject({ id: z.string(), path: SandboxPath, type: z.literal('csv'), content: Table }),
  z.strictObject({ id: z.string(), path: SandboxPath, type: z.literal('text'), content: z.string().min(1) }),
  z.strictObject({ id: z.string(), path: SandboxPath, type: z.literal('docx'), content: TextDocument }),
  z.strictObject({ id: z.string(), path: SandboxPath, type: z.literal('pdf'), content: PageDocument }),
  z.strictObject({ id: z.string(), path: SandboxPath, type: z.literal('md'), content: MarkdownContent }),
  z.strictObject({ id: z.string(), path: SandboxPath, type: z.literal('json'), content: Json }),
]);
export type RequiredFile = z.infer<typeof RequiredFile>;

export const Precondition = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('application-open'),
    application: z.string(),
    file: z.string().describe('id of a required file'),
  }),
  z.strictObject({ type: z.literal('file-present'), file: z.string() }),
]);
export type Precondition = z.infer<typeof Precondition>;

/** A requirement on the end state. `must: false` is a preference. */
export const OutcomeRequirement = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  /** What must hold at the end, in words that give no answer away. */
  text: z.string().min(1),
  must: z.boolean(),
});

/**
 * The shared specification of one task: the file branch, the setup branch, the instruction and the rubric are all made from it.
 * Answers are not in it; they are in `HiddenAnswers`, which neither the instruction nor the sandbox ever sees.
 */
export const TaskSpecification = z.strictObject({
  skill: z.string(),
  domain: z.string(),
  applications: z.array(z.string()).min(1),
  outcome: z.strictObject({
    /** Short name of the kind of outcome, for diversity counts. */
    kind: z.string(),
    /** One sentence: the end state that the user wants. */
    summary: z.string().min(1),
    requirements: z.array(OutcomeRequirement).min(1),
    /** Names the instruction must mention for the task to be well posed (file name, sheet, columns, …). */
    mentions: z.array(z.string()),
  }),
  /** Who asks, and why: colour for the instruction. */
  scenario: z.strictObject({ person: z.string(), role: z.string(), company: z.string(), motive: z.string() }),
  files: z.array(RequiredFile).min(1),
  preconditions: z.array(Precondition),
  constraints: z.array(z.string()),
  /** Labels of structure and layout, for diversity counts: `header offset`, `sheets`, `column order`, … */
  traits: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});
export type TaskSpecification = z.infer<typeof TaskSpecification>;

/** Where the outcome fixes what a requirement is about, in a file of `expected` by its id. */
export const CheckPlace = z.discriminatedUnion('what', [
  /** A sheet that is new. */
  z.strictObject({ requirement: z.string(), file: z.string(), what: z.literal('sheet'), sheet: z.string() }),
  /** Cells that hold what the expected file has there; with `formulas` by formulas. */
  z.strictObject({
    requirement: z.string(),
    file: z.string(),
    what: z.literal('cells'),
    sheet: z.string(),
    range: CellRange,
    formulas: z.boolean().optional(),
  }),
  /** As many rows as the expected file has in this range, and none right below. */
  z.strictObject({
    requirement: z.string(),
    file: z.string(),
    what: z.literal('rows'),
    sheet: z.string(),
    range: CellRange,
  }),
  /** Every other cell is as it was, while the first cells of the work are there. */
  z.strictObject({ requirement: z.string(), file: z.string(), what: z.literal('rest') }),
  /** Conditional formats of a sheet. */
  z.strictObject({
    requirement: z.string(),
    file: z.string(),
    what: z.literal('conditional-formats'),
    sheet: z.string(),
  }),
  /** Everything that differs between the prepared and the expected file. */
  z.strictObject({ requirement: z.string(), file: z.string(), what: z.literal('changes') }),
]);
export type CheckPlace = z.infer<typeof CheckPlace>;

/** An end state that misses one requirement and fulfils all others. */
export const AnswerVariant = z.strictObject({
  requirement: z.string(),
  /** What is wrong with it, in words that give no answer away. */
  doc: z.string().min(1),
  /** The files that differ from those of `expected`. */
  expected: z.array(RequiredFile).min(1),
});
export type AnswerVariant = z.infer<typeof AnswerVariant>;

/** What a correct end state holds: kept out of instruction and sandbox. */
export const HiddenAnswers = z.strictObject({
  /** Values that a correct solution shows and that the instruction must not contain. */
  answers: z.array(z.strictObject({ label: z.string(), value: z.union([z.string(), z.number()]) })),
  /** Path in the sandbox → expected content, in the preparers' own terms. */
  expected: z.array(RequiredFile),
  /** How the answers were computed, for a person. */
  derivation: z.string(),
  /** Where in the expected files each requirement can be seen: what `spec.checks` makes checks from. */
  places: z.array(CheckPlace).optional(),
  /** Checks by the ids of their criteria; they go to `hidden/checks.json`. */
  checks: z.array(NamedCheck).optional(),
  /** How the work can be done; it goes to `hidden/solution`. */
  solution: ReferenceSolution.optional(),
  /** Expected files with one thing wrong: what `spec.solution` makes mutants of the reference solution from. */
  variants: z.array(AnswerVariant).optional(),
});
export type HiddenAnswers = z.infer<typeof HiddenAnswers>;

/** One step of the environment setup. Idempotent by definition: running it twice leaves the same state. */
export const SetupOperation = z.discriminatedUnion('op', [
  z.strictObject({
    op: z.literal('place-file'),
    file: FileValue,
    path: SandboxPath,
    mode: z.string().regex(/^0[0-7]{3}$/),
  }),
  z.strictObject({ op: z.literal('open'), application: z.string(), path: SandboxPath.optional() }),
  z.strictObject({ op: z.literal('run'), command: z.array(z.string()).min(1), why: z.string() }),
  EnvOperation,
  WindowOperation,
  WaitWindowOperation,
  DesktopOperation,
  ServiceOperation,
  MailOperation,
]);
export type SetupOperation = z.infer<typeof SetupOperation>;

/** The executable setup script and the operations it was made from. */
export const SetupScript = z.strictObject({ script: z.string().min(1), operations: z.array(SetupOperation) });
export type SetupScript = z.infer<typeof SetupScript>;

export const Criterion = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  text: z.string().min(1),
  weight: z.number().positive(),
  must: z.boolean(),
  judge: z.enum(['model', 'check']),
  /** Id of the check in `hidden/checks.json` that decides it, where `judge` is `check`. */
  check: z.string().optional(),
  /** What the judge needs to see. */
  evidence: z.string().min(1),
});
export const Rubric = z.strictObject({ criteria: z.array(Criterion).min(1) });
export type Rubric = z.infer<typeof Rubric>;

/** What was proven about a package, by what, and what was not. */
export const Proof = z.strictObject({
  claim: z.string(),
  status: z.enum(['proven', 'failed', 'not-proven']),
  by: z.string(),
  detail: z.string(),
});
export type Proof = z.infer<typeof Proof>;

/** `task.json` of a task package. */
export const TaskManifest = z.strictObject({
  schema: z.literal(1),
  id: z.string(),
  title: z.string(),
  domain: z.string(),
  skills: z.array(z.string()).min(1),
  applications: z.array(z.string()).min(1),
  seed: z.number().int(),
  workflow: z.strictObject({ id: z.string(), version: z.string() }),
  run: z.string(),
  /** Providers and models that wrote parts of it; `rehearsal` means that no model was asked. */
  models: z.array(z.string()),
  files: z.array(
    z.strictObject({
      path: z.string(),
      sandboxPath: SandboxPath,
      preparer: z.string(),
      mediaType: z.string(),
      hash: z.string(),
      size: z.number().int(),
    }),
  ),
  outcome: z.strictObject({ kind: z.string(), summary: z.string() }),
  traits: z.record(z.string(), Json),
  proofs: z.array(Proof),
  /** What a sandbox has shown; left out where none was asked. */
  proof: ProofSummary.optional(),
  gates: z.array(
    z.strictObject({
      gate: z.string(),
      evidence: z.array(z.strictObject({ check: z.string(), ok: z.boolean(), detail: z.string() })),
    }),
  ),
});
export type TaskManifest = z.infer<typeof TaskManifest>;

/** Value of a `package` port: the manifest and the files of the folder, by relative path. */
export const TaskPackage = z.strictObject({
  manifest: TaskManifest,
  files: z.array(z.strictObject({ path: z.string(), file: FileValue, executable: z.boolean() })),
});
export type TaskPackage = z.infer<typeof TaskPackage>;
