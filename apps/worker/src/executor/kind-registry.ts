import { ForgeError } from '@cua-forge/spec/errors';
import type { Kind } from '@cua-forge/spec/kind';
import { kinds } from '@cua-forge/spec/kinds';
import { kindLoaders } from '../kinds.generated.ts';

export interface LoadedKind {
  kind: Kind;
  /** Hash of its source; part of memo keys. */
  implementation: string;
}
export type KindRegistry = (id: string, version: number) => Promise<LoadedKind>;

/** Loads kinds when they are first needed. @throws ForgeError `kind.unknown`, `kind.version-gone` */
export function kindRegistry(loaders: Readonly<Record<string, () => Promise<Kind>>> = kindLoaders): KindRegistry {
  const loaded = new Map<string, Promise<LoadedKind>>();
  return (id, version) => {
    const name = `${id}@${version}`;
    const known = loaded.get(name);
    if (known) return known;
    const loader = loaders[name];
    if (!loader) {
      const others = Object.keys(loaders).filter((other) => other.startsWith(`${id}@`));
      throw others.length > 0
        ? new ForgeError(
            'kind.version-gone',
            `This worker has no version ${version} of '${id}'; it has ${others.join(', ')}.`,
            { fix: 'Migrate the node to a version that is there, or run a worker that still has the old one.' },
          )
        : new ForgeError('kind.unknown', `This worker knows no kind '${id}'.`, {
            fix: 'Check the name, or update the worker.',
          });
    }
    const implementation = kinds.find((meta) => meta.id === id && meta.version === version)?.implementation ?? name;
    const loading = loader().then((kind) => ({ kind, implementation }));
    loaded.set(name, loading);
    loading.catch(() => loaded.delete(name));
    return loading;
  };
}
