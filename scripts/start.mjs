import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installDependencies, requireNode, root } from './lib/prepare.mjs';

requireNode();
await installDependencies();
const { register } = await import('tsx/esm/api');
register();
const main = join(root, 'apps/cli/src/main.ts');
process.argv = [process.execPath, main, 'start', ...process.argv.slice(2)];
await import(pathToFileURL(main).href);
