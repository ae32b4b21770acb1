import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { staleReason } from './installed.mjs';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Ends the process with a clear word when the project cannot run on this system or this Node. */
export function requireNode() {
  if (process.platform === 'win32') {
    console.error(
      'CUA Forge runs on Linux and macOS. On Windows use it inside WSL (https://learn.microsoft.com/windows/wsl).',
    );
    process.exit(2);
  }
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

/** Installs the locked dependencies unless they are there already, made for this Node; native modules of another Node are made anew. */
export async function installDependencies() {
  const marker = join(root, 'node_modules/.cache/cua-forge/node-abi');
  const reason = staleReason(root);
  const abi = existsSync(marker) ? readFileSync(marker, 'utf8') : process.versions.modules;
  if (reason !== null)
    await npm(
      ['ci', '--no-audit', '--no-fund', '--include=dev'],
      `Installing dependencies (${reason}); the first time this takes a few minutes`,
    );
  else if (abi !== process.versions.modules)
    await npm(['rebuild'], `Making native modules anew for Node ${process.versions.node}`);
  mkdirSync(dirname(marker), { recursive: true });
  writeFileSync(marker, process.versions.modules);
}

async function npm(args, what) {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  console.error(what);
  const ticking = setInterval(() => console.error(`  still at it, ${seconds()} s`), 15_000);
  const code = await run('npm', args, { stdio: ['ignore', 'inherit', 'inherit'] });
  clearInterval(ticking);
  if (code !== 0) {
    console.error(`npm ${args[0]} did not work: see above. Check the network and the free disk space, then try again.`);
    process.exit(1);
  }
  console.error(`Dependencies are ready (${seconds()} s)`);
}
