import pc from 'picocolors';
import { type Reporter, streamReporter } from '../bootstrap/progress.ts';
import type { Settings } from '../bootstrap/settings.ts';
import { ensureTemporalBinary } from '../bootstrap/temporal-binary.ts';
import { ensureModelKit } from '../models/model-kit.ts';
import { examine, missingPackages, type Use } from './examine.ts';
import { installPackages } from './install.ts';
import type { DoctorReport, PartReport } from './report.ts';

export interface DoctorOptions {
  settings: Settings;
  /** Fetch and install what is missing, where that is allowed. */
  install: boolean;
  json: boolean;
  /** Counts the parts of the tests as required too. */
  use?: Use;
  out?: NodeJS.WritableStream;
  reporter?: Reporter;
}

/** Reports every part the product uses and how to get it. Returns the exit code: 0 when all required parts are there, else 1. */
export async function doctorCommand(options: DoctorOptions): Promise<number> {
  const { settings, out = process.stdout, reporter = streamReporter(process.stderr), use = 'start' } = options;
  let report = await examine(settings, use);
  let refusal: string | null = null;
  if (options.install) {
    const packages = missingPackages(report.parts);
    if (packages.length > 0) refusal = await installPackages(packages, settings.env, reporter);
    if (settings.cluster === null) await ensureTemporalBinary({ env: settings.env, reporter });
    if (use === 'test') await ensureModelKit(settings.root, settings.env, reporter);
    report = await examine(settings, use);
  }
  if (options.json) out.write(`${JSON.stringify(report, null, 2)}\n`);
  else out.write(`${describe(report, use)}\n`);
  if (refusal !== null && report.install !== null) reporter.line(`Not installed: ${refusal}. Run: ${report.install}`);
  return report.ok ? 0 : 1;
}

function describe(report: DoctorReport, use: Use): string {
  const width = Math.max(...report.parts.map((part) => part.title.length));
  const lines = report.parts.flatMap((part) => {
    const head = `${markOf(part, use)} ${part.title.padEnd(width)}  ${part.found ?? 'missing'}${part.where === null ? '' : pc.dim(`  ${part.where}`)}`;
    const why = part.ok ? [] : [`  ${''.padEnd(width)}  ${part.purpose}`];
    return [head, ...why, ...(part.fix === null ? [] : [pc.dim(`  ${''.padEnd(width)}  ${part.fix}`)])];
  });
  if (report.install !== null) lines.push('', `All that is missing: ${report.install}`);
  return lines.join('\n');
}

function markOf(part: PartReport, use: Use): string {
  if (part.ok) return pc.green('✓');
  return part.need === 'start' || (part.need === 'test' && use === 'test') ? pc.red('✗') : pc.yellow('–');
}
