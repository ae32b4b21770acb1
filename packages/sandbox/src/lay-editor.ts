import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildReport } from './build-report.ts';
import { runScript } from './run-script.ts';

const bytesOf = (path: string): Promise<Buffer | null> => readFile(path).catch(() => null);

/** Fetches the code editor of the target `full` into the recipe's folder `wheels`, unless the pinned one lies there. @throws ForgeError `sandbox.unavailable` */
export async function layEditor(folder: string, report: BuildReport): Promise<void> {
  const [wanted, laid] = await Promise.all([
    bytesOf(join(folder, 'editor/package-lock.json')),
    bytesOf(join(folder, 'wheels/editor.lock')),
  ]);
  if (wanted !== null && laid !== null && wanted.equals(laid)) return;
  report.line('The code editor is fetched from the package index.');
  await runScript(join(folder, 'editor.sh'), [], {
    what: 'Editor',
    fix: 'It needs npm and its package index. Or run docker/desktop/editor.sh where that is reached, and copy docker/desktop/wheels here.',
    report,
  });
}
