import { join } from 'node:path';
import { ApiClient } from '../client/api-client.ts';
import { generate } from '../commands/generate.ts';
import type { ApiAddress } from './embedded.ts';
import type { Reporter } from './progress.ts';
import type { Settings } from './settings.ts';
import type { DemoResult } from './start-command.ts';

/** The skill a fresh start shows. */
export const firstSkill = 'calc-monthly-summary';

interface FirstPackagesOptions {
  settings: Settings;
  count: number;
  reporter: Reporter;
}

/** Generates the first packages into `out/` of the project, as `forge generate` does. */
export function firstPackages({
  settings,
  count,
  reporter,
}: FirstPackagesOptions): (api: ApiAddress, signal: AbortSignal) => Promise<DemoResult> {
  return async ({ url, token }, signal) => {
    const folder = join(settings.root, 'out');
    reporter.line(`Generating ${count} task packages of ${firstSkill}`);
    const api = new ApiClient({ url, token, signal });
    const summary = await generate(
      { skill: firstSkill, count, seed: 1, out: folder, inputs: new Map() },
      api,
      reporter,
    );
    return { folder, requested: summary.requested, packages: summary.packages };
  };
}
