import type { KindMeta } from './kind.ts';

/** Kinds by id and version. */
export interface KindIndex {
  readonly ids: readonly string[];
  /** That very version. */
  exact(id: string, version: number): KindMeta | undefined;
  newest(id: string): KindMeta | undefined;
  /** That version, or the newest one when the wanted version is older and gone (the worker migrates its params). */
  usable(id: string, version: number): KindMeta | undefined;
}

const known = new WeakMap<readonly KindMeta[], KindIndex>();

/** Index of a list of kinds, kept for as long as the list lives: the list must not change afterwards. */
export function kindIndex(kinds: readonly KindMeta[]): KindIndex {
  const existing = known.get(kinds);
  if (existing !== undefined) return existing;
  const byVersion = new Map<string, KindMeta>();
  const newestById = new Map<string, KindMeta>();
  for (const kind of kinds) {
    byVersion.set(`${kind.id}@${kind.version}`, kind);
    const newest = newestById.get(kind.id);
    if (newest === undefined || newest.version < kind.version) newestById.set(kind.id, kind);
  }
  const exact = (id: string, version: number) => byVersion.get(`${id}@${version}`);
  const newest = (id: string) => newestById.get(id);
  const index: KindIndex = {
    ids: [...newestById.keys()],
    exact,
    newest,
    usable: (id, version) => {
      const last = newest(id);
      return exact(id, version) ?? (last !== undefined && version < last.version ? last : undefined);
    },
  };
  known.set(kinds, index);
  return index;
}
