import { homedir } from 'node:os';
import { join } from 'node:path';

/** The environment a main hands down; nothing below it reads the process's own. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The folder for downloads shared by every project of this user: FORGE_CACHE, else the XDG cache folder. */
export function cacheFolderOf(env: Environment): string {
  if (env.FORGE_CACHE) return env.FORGE_CACHE;
  return join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'cua-forge');
}
