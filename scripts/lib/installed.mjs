import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Why the installed packages are not those of package-lock.json, or null when they are. Compares the lock with npm's own record of what it installed;
 * optional packages (of other platforms) may be absent.
 */
export function staleReason(root) {
  const locked = packagesOf(join(root, 'package-lock.json'));
  if (locked === null) return 'package-lock.json cannot be read';
  const installed = packagesOf(join(root, 'node_modules/.package-lock.json'));
  if (installed === null) return 'they are not installed yet';
  for (const [path, entry] of Object.entries(locked)) {
    if (!path.includes('node_modules/')) continue;
    const there = installed[path];
    if (there === undefined) {
      if (entry.optional !== true && entry.peer !== true) return `${path} is missing`;
    } else if (there.version !== entry.version || there.link !== entry.link)
      return `${path} is not at version ${entry.version}`;
  }
  return null;
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null;
  } catch {
    return null;
  }
}
