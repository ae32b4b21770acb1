import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installDependencies, requireNode, root, run } from './lib/prepare.mjs';

requireNode();
await installDependencies();
const { register } = await import('tsx/esm/api');
register();

const args = process.argv.slice(2);
const bin = (name) => join(root, 'node_modules/.bin', name);
const node = (...rest) => run(process.execPath, ['--import', 'tsx', ...rest]);
const load = (file) => import(pathToFileURL(join(root, file)).href);

/** Checks of the whole project, each counted as one test; left out when only some tests are asked for. */
const checks = [
  ['types', () => run(bin('tsc'), ['-p', '.'])],
  ['format and lint', () => run(bin('biome'), ['check', '.', '--diagnostic-level=warn'])],
  [
    'import rules',
    () =>
      run(bin('depcruise'), [
        '--config',
        '.dependency-cruiser.cjs',
        'apps',
        'packages',
        'workflows',
        'nodes',
        'preparers',
        'gates',
      ]),
  ],
  ['generated kinds', () => node('scripts/generate-kinds.ts', '--check')],
  ['studio build', buildStudio],
];

async function prepareMachine() {
  const { loadSettings } = await load('apps/cli/src/bootstrap/settings.ts');
  const { doctorCommand } = await load('apps/cli/src/doctor/doctor-command.ts');
  const code = await doctorCommand({
    settings: loadSettings(root, process.env),
    install: true,
    json: false,
    use: 'test',
    out: process.stderr,
  });
  if (code === 0) return;
  console.error('The tests need parts that are missing here: run the command above, then `npm test` again.');
  process.exit(1);
}

async function buildStudio() {
  const { buildStudio: build } = await load('apps/cli/src/bootstrap/studio-build.ts');
  const { streamReporter } = await load('apps/cli/src/bootstrap/progress.ts');
  try {
    await build(root, process.env, streamReporter(process.stderr));
    return 0;
  } catch (error) {
    console.error(error.message);
    return 1;
  }
}

/** Runs vitest and counts from its own report; a run that broke without a failing test counts as one failure. */
async function runTests() {
  const folder = mkdtempSync(join(tmpdir(), 'forge-test-report-'));
  const file = join(folder, 'report.json');
  try {
    const code = await run(bin('vitest'), [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      ...args,
    ]);
    if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
    const report = JSON.parse(readFileSync(file, 'utf8'));
    const failed = report.numFailedTests || (code === 0 ? 0 : 1);
    return { passed: report.numPassedTests, failed, skipped: report.numPendingTests + report.numTodoTests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await prepareMachine();
const broken = [];
let passedChecks = 0;
for (const [name, check] of args.length > 0 ? [] : checks) {
  const started = Date.now();
  const ok = (await check()) === 0;
  console.error(`${ok ? 'ok' : 'NOT OK'}: ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  if (ok) passedChecks += 1;
  else broken.push(name);
}
const tests = await runTests();
if (broken.length > 0) console.error(`Checks that failed: ${broken.join(', ')}`);
const failed = tests.failed + broken.length;
const skipped = tests.skipped > 0 ? `, ${tests.skipped} skipped` : '';
console.log(`${tests.passed + passedChecks} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;
