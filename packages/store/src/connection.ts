import type { Steps } from './steps.ts';

/** One process's access to the database that holds the metadata. */
export interface Connection {
  /** Runs reading steps. */
  read<T>(steps: () => Steps<T>): Promise<T>;
  /**
   * Runs writing steps in a transaction that they may share with others of the same time. There is one writer at a time,
   * over all processes: what the steps read stays true until they are committed. They may run twice, the first time
   * rolled back.
   */
  write<T>(steps: () => Steps<T>): Promise<T>;
  /** Calls `wake` soon after any process committed something; returns the function that stops it. */
  watch(wake: () => void): () => void;
  /** Commits what is under way and refuses what comes later. */
  close(): Promise<void>;
}
