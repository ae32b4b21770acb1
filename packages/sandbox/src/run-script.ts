import { spawn } from 'node:child_process';
import { ForgeError } from '@cua-forge/spec/errors';
import type { BuildReport } from './build-report.ts';

/** Runs a script of the recipe and reports its lines as they come. @throws ForgeError `sandbox.unavailable` with its last line */
export function runScript(
  script: string,
  args: readonly string[],
  { what, fix, report }: { what: string; fix: string; report: BuildReport },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(script, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let last = '';
    let lines = 0;
    const start = Date.now();
    const take = (data: Buffer): void => {
      const text = data.toString('utf8').trim();
      lines += text.split('\n').length;
      last = text.split('\n').at(-1) ?? last;
      report.update(`${what}: ${lines} lines, ${Math.round((Date.now() - start) / 1000)} s: ${last.slice(0, 80)}`);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new ForgeError('sandbox.unavailable', `${script} failed: ${last}`, { fix })),
    );
  });
}
