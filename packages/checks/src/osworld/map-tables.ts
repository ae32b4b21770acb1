import type { Check } from '@cua-forge/spec/check';
import { z } from 'zod';
import { comparison, type EvaluatorParts, expectedPath, resultPath } from './map-values.ts';

const SheetRef = z.union([z.number().int().min(0), z.string()]);
const Rule = z.looseObject({ type: z.string() });

/** `RNSheet1`, `EI0` or a place from 0: which file, and which of its sheets. */
function sheetOf(
  ref: unknown,
  paths: { result: string; expected: string },
): { path: string; sheet: string | number } | undefined {
  const parsed = SheetRef.safeParse(ref);
  if (!parsed.success) return undefined;
  if (typeof parsed.data === 'number') return { path: paths.result, sheet: parsed.data + 1 };
  const [, which, kind, rest = ''] = /^([RE])([NI])(.+)$/.exec(parsed.data) ?? [];
  if (which === undefined) return undefined;
  return { path: which === 'R' ? paths.result : paths.expected, sheet: kind === 'I' ? Number(rest) + 1 : rest };
}

const Props = z.record(z.string(), z.unknown());

function cellChecks(rule: z.infer<typeof Rule>, paths: { result: string; expected: string }): Check[] | string {
  const at = sheetOf(rule.sheet_idx, paths);
  const cell = z
    .string()
    .regex(/^[A-Z]+\d+$/)
    .safeParse(rule.coordinate).data;
  const props = Props.safeParse(rule.props).data ?? {};
  if (at === undefined || cell === undefined) return 'the rule check_cell names no cell';
  const checks: Check[] = [];
  for (const [name, wanted] of Object.entries(props)) {
    const compared = comparison(wanted);
    if (name !== 'value' || compared === undefined) return `the rule check_cell compares ${name} in a way of its own`;
    const leaf: Check = { see: { look: 'cell', ...at, cell, of: 'value' }, expect: compared.expect };
    checks.push(compared.negated ? { not: leaf } : leaf);
  }
  return checks;
}

const sameAspect = { sheet_data: 'values', sheet_print: 'values', freeze: 'frozen', row_props: 'hidden-rows' } as const;
const isSame = (type: string): type is keyof typeof sameAspect => Object.hasOwn(sameAspect, type);

function ruleChecks(rule: z.infer<typeof Rule>, paths: { result: string; expected: string }): Check[] | string {
  if (rule.type === 'check_cell') return cellChecks(rule, paths);
  if (rule.type === 'sheet_name')
    return [
      {
        see: { look: 'workbook', path: paths.result, of: 'sheets' },
        expect: { same: { look: 'workbook', path: paths.expected, of: 'sheets' }, ordered: true, text: 'exact' },
      },
    ];
  if (rule.type === 'zoom') {
    const [at, compared] = [sheetOf(rule.sheet_idx, paths), comparison(rule)];
    if (at === undefined || compared === undefined) return 'the rule zoom compares in a way of its own';
    const leaf: Check = { see: { look: 'sheet', ...at, of: 'zoom' }, expect: compared.expect };
    return [compared.negated ? { not: leaf } : leaf];
  }
  const [own, other] = [sheetOf(rule.sheet_idx0, paths), sheetOf(rule.sheet_idx1, paths)];
  if (!isSame(rule.type) || own === undefined || other === undefined) return `the rule ${rule.type} has no counterpart`;
  const of = sameAspect[rule.type];
  return [
    {
      see: { look: 'sheet', ...own, of },
      expect: {
        same: { look: 'sheet', ...other, of },
        ordered: true,
        text: 'exact',
        tolerance: of === 'values' ? 0.0001 : undefined,
      },
    },
  ];
}

/** `compare_table`: all of its rules, or the reason why one cannot be said. */
export function tableCheck({ result, expected, options }: EvaluatorParts): Check | string {
  const path = resultPath(result);
  if (path === undefined) return `the result is ${result?.type ?? 'nothing'}, which is no file of the sandbox`;
  const rules = z.array(Rule).safeParse(options.rules).data ?? [];
  const paths = { result: path, expected: expectedPath(expected) ?? 'reference:none' };
  const parts = rules.map((rule) => ruleChecks(rule, paths));
  const reason = parts.find((part) => typeof part === 'string');
  if (reason !== undefined) return reason;
  return { all: parts.flatMap((part) => (typeof part === 'string' ? [] : part)) };
}
