import { baseName } from '@cua-forge/spec/required-file';
import type { SetupOperation } from '@cua-forge/spec/task';

/** Names below `files/` of a package for the files that operations place, by sandbox path. Different files never share a name. */
export function packageFileNames(operations: readonly SetupOperation[]): Map<string, string> {
  const names = new Map<string, string>();
  const owner = new Map<string, string>();
  for (const operation of operations) {
    if (operation.op !== 'place-file' || names.has(operation.path)) continue;
    const base = baseName(operation.path);
    const dot = base.lastIndexOf('.') > 0 ? base.lastIndexOf('.') : base.length;
    let name = base;
    for (let count = 2; (owner.get(name) ?? operation.file.hash) !== operation.file.hash; count += 1) {
      name = `${base.slice(0, dot)}-${count}${base.slice(dot)}`;
    }
    owner.set(name, operation.file.hash);
    names.set(operation.path, name);
  }
  return names;
}
