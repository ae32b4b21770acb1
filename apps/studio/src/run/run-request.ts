import type { Selection } from '@cua-forge/spec/store-port';
import { create } from 'zustand';

interface RunRequestState {
  /** The part that is to be run once its inputs are confirmed; null when nobody asked. */
  selection: Selection | null;
  ask(selection: Selection): void;
  close(): void;
}

/** A wish to run, from wherever it comes, until the dialog has settled it. */
export const useRunRequest = create<RunRequestState>((set) => ({
  selection: null,
  ask: (selection) => set({ selection }),
  close: () => set({ selection: null }),
}));
