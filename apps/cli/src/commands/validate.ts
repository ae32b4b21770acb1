import type { Finding } from '@cua-forge/spec/document';
import { toForgeError } from '@cua-forge/spec/errors';
import type { KindMeta } from '@cua-forge/spec/kind';
import { exitCodes } from './exit-code.ts';
import { findingText, type Output, printResult } from './output.ts';
import { readDocumentFile } from './read-document-file.ts';

export interface FileReport {
  file: string;
  ok: boolean;
  findings: Finding[];
}

async function examine(file: string, kinds: readonly KindMeta[]): Promise<FileReport> {
  try {
    const { findings } = await readDocumentFile(file, kinds);
    return { file, ok: findings.every((finding) => finding.severity !== 'error'), findings };
  } catch (thrown) {
    const { code, message, fix = 'Check the file.' } = toForgeError(thrown);
    return { file, ok: false, findings: [{ code, severity: 'error', message, fix }] };
  }
}

function reportText({ file, findings }: FileReport): string {
  if (findings.length === 0) return `${file}: no findings`;
  const errors = findings.filter((finding) => finding.severity === 'error').length;
  const lines = findings.map((finding) => findingText(finding, file));
  return [
    ...lines,
    `${file}: ${errors} ${errors === 1 ? 'error' : 'errors'}, ${findings.length - errors} warnings`,
  ].join('\n');
}

/** Prints every finding about every file. Exit code 2 when there is an error among them. */
export async function validate(files: readonly string[], kinds: readonly KindMeta[], output: Output): Promise<number> {
  const reports = await Promise.all(files.map((file) => examine(file, kinds)));
  const ok = reports.every((report) => report.ok);
  printResult(output, { ok, files: reports }, ({ files: all }) => all.map(reportText).join('\n'));
  return ok ? exitCodes.done : exitCodes.badInput;
}
