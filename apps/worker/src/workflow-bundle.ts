import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';
import type { Logger } from 'pino';

const workflows = fileURLToPath(new URL('../../../workflows/src', import.meta.url));
/** What workflows take from the contracts at run time. The SDK evaluates the whole bundle for every workflow, so nothing that is slow to load may come with it. */
export const bundledContracts: readonly string[] = ['canonical-json.ts', 'engine-names.ts'];
const contracts = fileURLToPath(new URL('../../../packages/spec/src', import.meta.url));
const interceptors = '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors';
const lock = fileURLToPath(new URL('../../../package-lock.json', import.meta.url));

/** The workflows as one script, made once for each state of their sources; with `tracing`, with the interceptors that make spans. */
export async function workflowBundle(folder: string, log: Logger, tracing = false): Promise<{ code: string }> {
  const file = join(folder, `workflows-${await sourceHash()}${tracing ? '-traced' : ''}.js`);
  const known = await readFile(file, 'utf8').catch(() => null);
  if (known !== null) return { code: known };
  log.info('bundling the workflows');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(workflows, 'workflows.ts'),
    workflowInterceptorModules: tracing ? [fileURLToPath(import.meta.resolve(interceptors))] : [],
  });
  await mkdir(folder, { recursive: true });
  const temporary = `${file}.${process.pid}`;
  await writeFile(temporary, code);
  await rename(temporary, file);
  return { code };
}

async function sourceHash(): Promise<string> {
  const hash = createHash('sha256');
  const files = (await readdir(workflows, { recursive: true }))
    .filter((name) => name.endsWith('.ts') && !name.includes('test'))
    .sort();
  const sources = [
    ...files.map((name) => join(workflows, name)),
    ...bundledContracts.map((name) => join(contracts, name)),
  ];
  for (const file of [...sources, lock]) hash.update(file.slice(file.lastIndexOf('/'))).update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
