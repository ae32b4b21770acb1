import type { CarryOut, Steps } from './steps.ts';

/** What was committed at one time. */
export interface Snapshot {
  read<T>(steps: () => Steps<T>): Promise<T>;
  close(): Promise<void>;
}

/** One process's access to the database that holds the metadata. */
export interface Connection {
  /** Runs reading steps. */
  read<T>(steps: () => Steps<T>): Promise<T>;
  /**
   * Runs writing steps in a transaction that they may share with others of the same time. There is one writer at a time,
   * over all processes: what the steps read stays true until they are committed. They may run twice, the first time
   * rolled back. `patience` are milliseconds that the steps may wait for others.
   */
  write<T>(steps: () => Steps<T>, patience?: number): Promise<T>;
  /** Opens a view of what is committed now; it stays the same until it is closed. */
  snapshot(): Promise<Snapshot>;
  /**
   * Runs work in one transaction of any length, with no other writer beside it; rolled back when the work throws. For a
   * store that nobody else uses: others wait, and may give up.
   */
  exclusively<T>(work: (carryOut: CarryOut) => Promise<T>): Promise<T>;
  /** Makes the database give out numbers above the highest that a column has. */
  countOn(table: string, column: string): Steps<void>;
  /** Calls `wake` soon after any process committed something; returns the function that stops it. */
  watch(wake: () => void): () => void;
  /** Commits what is under way and refuses what comes later. */
  close(): Promise<void>;
}
