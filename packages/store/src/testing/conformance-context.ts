import type { Store } from '@cua-forge/spec/store-port';

/** Two connections to one store, as server and worker have. */
export interface StorePair {
  one: Store;
  two: Store;
}

/** Damages the stored bytes of an artifact behind the store's back. */
export type Damage = (hash: string, how: 'flip' | 'truncate' | 'remove') => Promise<void>;

export interface ConformanceContext {
  pair(): StorePair;
  open(): Promise<Store>;
  damage: Damage | undefined;
}
