import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Ends the process with a clear word when this Node is too old for the project. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(
    `CUA Forge needs Node 20.19 or newer; this is ${process.versions.node}. Install one from https://nodejs.org and try again.`,
  );
  process.exit(2);
}

/** Runs a command with this terminal. Resolves with its exit code; a signal counts as 1. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(127);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Installs the locked dependencies unless the installed ones were made from this lock file, on this Node. */
export async function installDependencies() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256')
    .update(lock)
    .update(`${process.version} ${process.platform} ${process.arch}`)
    .digest('hex');
  const marker = join(root, 'node_modules/.cache/cua-forge/installed');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return;
  const started = Date.now();
  console.error('Installing dependencies (the first time this takes a minute or two)');
  const ticking = setInterval(
    () => console.error(`  still installing, ${Math.round((Date.now() - started) / 1000)} s`),
    15_000,
  );
  const code = await run('npm', ['ci', '--no-audit', '--no-fund', '--include=dev'], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  clearInterval(ticking);
  if (code !== 0) {
    console.error(
      'The dependencies could not be installed: see npm above. Check the network and the free disk space, then try again.',
    );
    process.exit(1);
  }
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, wanted);
  console.error(`Dependencies are installed (${Math.round((Date.now() - started) / 1000)} s)`);
}
