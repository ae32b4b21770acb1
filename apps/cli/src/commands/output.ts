import { ApiFailure } from '@cua-forge/api-client/api-error';
import type { Finding } from '@cua-forge/spec/document';
import type { ForgeError } from '@cua-forge/spec/errors';
import pc from 'picocolors';
import type { Reporter } from '../bootstrap/progress.ts';

/** Where a command writes: results to standard output, everything for the person who waits to the reporter. */
export interface Output {
  json: boolean;
  write(text: string): void;
  reporter: Reporter;
}

/** The result: as JSON on one line, or as the lines that `text` makes. */
export function printResult<T>(output: Output, value: T, text: (value: T) => string): void {
  output.write(`${output.json ? JSON.stringify(value) : text(value)}\n`);
}

/** One finding: `file:line: error code: message` and what to do. */
export function findingText(finding: Finding, file?: string): string {
  const place = file === undefined ? '' : `${file}${finding.line === undefined ? '' : `:${finding.line}`}: `;
  const severity = finding.severity === 'error' ? pc.red('error') : pc.yellow('warning');
  return `${place}${severity} ${finding.code}: ${finding.message}\n    ${finding.fix}`;
}

export function printError(output: Output, error: ForgeError): void {
  const findings = error instanceof ApiFailure ? error.findings : [];
  if (output.json) {
    output.write(`${JSON.stringify({ error: error.toFailure(), ...(findings.length === 0 ? {} : { findings }) })}\n`);
    return;
  }
  const errors = findings.filter((finding) => finding.severity === 'error');
  output.reporter.line(`${pc.red('error')} ${error.code}: ${error.message}`);
  if (error.fix !== undefined) output.reporter.line(`    ${error.fix}`);
  for (const finding of errors) output.reporter.line(findingText(finding));
}

/** Rows as a table with aligned columns. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [pc.dim(line(head)), ...rows.map(line)].join('\n');
}
