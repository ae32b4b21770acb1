import { join } from 'node:path';
import { build } from 'esbuild';

/** What a bundle cannot carry: a library of machine code. A check that needs it says so. */
const databases = {
  name: 'no-databases',
  setup(
    bundle: Parameters<NonNullable<NonNullable<Parameters<typeof build>[0]['plugins']>[number]['setup']>>[0],
  ): void {
    bundle.onResolve({ filter: /^better-sqlite3$/ }, ({ path }) => ({ path, namespace: 'no-databases' }));
    bundle.onLoad({ filter: /.*/, namespace: 'no-databases' }, () => ({
      contents:
        "export default class { constructor() { throw new Error('Checks of SQLite databases need CUA Forge: this runner cannot open one.'); } }",
      loader: 'js',
    }));
  },
};

/** The evaluator of checks as one file for Node 18 and later, which needs nothing else of this product. */
export async function checkRunner(root: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'packages/checks/src/runner/check-main.ts')],
    absWorkingDir: root,
    bundle: true,
    write: false,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    logLevel: 'silent',
    // Libraries of the older module format ask for `require`.
    banner: {
      js: "import { createRequire as forgeRequire } from 'node:module';\nconst require = forgeRequire(import.meta.url);",
    },
    plugins: [databases],
  });
  return outputFiles[0]?.contents ?? new Uint8Array();
}
