import { fileURLToPath } from 'node:url';
import { streamReporter } from './bootstrap/progress.ts';
import { readSecret } from './commands/read-secret.ts';
import { runCli } from './program.ts';

const interrupted = new AbortController();
// The second Ctrl+C ends the process at once.
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());

process.exitCode = await runCli(process.argv.slice(2), {
  root: fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, ''),
  env: process.env,
  readSecret: () => readSecret(process.stdin, process.stderr),
  write: (text) => process.stdout.write(text),
  reporter: streamReporter(process.stderr),
  signal: interrupted.signal,
});
