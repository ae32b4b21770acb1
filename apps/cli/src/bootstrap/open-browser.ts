import { spawn } from 'node:child_process';
import type { Environment } from './environment.ts';

/** Asks the desktop to show a page; where there is none, nothing happens. */
export function openInBrowser(url: string, env: Environment): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(opener, [url], { detached: true, stdio: 'ignore', env: { ...env } });
  child.on('error', () => undefined);
  child.unref();
}
