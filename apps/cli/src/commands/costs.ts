import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { CostBy, CostRow, CostTable } from '@cua-forge/spec/costs';
import { moneyText } from './batch-progress.ts';
import { exitCodes } from './exit-code.ts';
import { type Output, printResult, tableText } from './output.ts';

export interface CostOptions {
  by: CostBy;
  run: string | undefined;
  batch: string | undefined;
  from: string | undefined;
  to: string | undefined;
  limit: number;
}

const figures = (row: CostRow): string[] => [
  String(row.calls),
  String(row.failedCalls),
  String(row.runs),
  String(row.usage.input),
  String(row.usage.cached),
  String(row.usage.output),
  moneyText(row.usd),
  String(row.accepted),
  row.tokensPerAccepted === null ? '–' : String(Math.round(row.tokensPerAccepted)),
  row.usdPerAccepted === null ? '–' : moneyText(row.usdPerAccepted),
];

function costText({ by, rows, total, rehearsedCalls }: CostTable): string {
  const rehearsed =
    rehearsedCalls === 0 ? [] : [`${rehearsedCalls} rehearsed calls asked no model and are not counted.`];
  if (total.calls === 0) return ['No model has been asked.', ...rehearsed].join('\n');
  const head = [by, 'calls', 'failed', 'runs', 'input', 'cached', 'output', 'cost'];
  const accepted = ['accepted', 'tokens each', 'cost each'];
  const lines = rows.map((row) => [row.key === '' ? '(none)' : row.key, ...figures(row)]);
  return [tableText([...head, ...accepted], [...lines, ['all', ...figures(total)]]), ...rehearsed].join('\n');
}

export async function costsCommand(options: CostOptions, api: ApiClient, output: Output): Promise<number> {
  printResult(output, await api.costs(options), costText);
  return exitCodes.done;
}
