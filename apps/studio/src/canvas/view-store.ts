import { MAIN_GRAPH } from '@cua-forge/spec/document';
import { create } from 'zustand';

/** One step of the way into subgraphs. `prefix` starts the node paths of that part of the run; null when no item is chosen. */
export interface Crumb {
  graph: string;
  prefix: string | null;
  label: string;
}

const home: Crumb = { graph: MAIN_GRAPH, prefix: '', label: 'Main' };

interface ViewState {
  crumbs: readonly Crumb[];
  /** Node that the canvas is to bring into view; `at` makes each wish a new one. */
  wanted: { node: string; at: number } | null;
  tab: 'inspect' | 'run';
  /** Whether cards that are dragged snap to the grid. */
  snapping: boolean;
  /** How many cards the layout engine is placing, since when; null when it rests. */
  arranging: { cards: number; since: number } | null;
  reset(): void;
  enter(crumb: Crumb): void;
  backTo(index: number): void;
  show(graph: string, node: string): void;
  setTab(tab: ViewState['tab']): void;
  toggleSnapping(): void;
}

/** Which graph the canvas shows and where it looks. */
export const useView = create<ViewState>((set, get) => ({
  crumbs: [home],
  wanted: null,
  tab: 'inspect',
  snapping: false,
  arranging: null,
  reset: () => set({ crumbs: [home], wanted: null, tab: 'inspect' }),
  enter: (crumb) => set({ crumbs: [...get().crumbs, crumb] }),
  backTo: (index) => set({ crumbs: get().crumbs.slice(0, index + 1) }),
  show(graph, node) {
    const here = get().crumbs.at(-1) ?? home;
    const crumbs =
      here.graph === graph
        ? get().crumbs
        : graph === MAIN_GRAPH
          ? [home]
          : [home, { graph, prefix: null, label: graph }];
    set({ crumbs, wanted: { node, at: Date.now() } });
  },
  setTab: (tab) => set({ tab }),
  toggleSnapping: () => set({ snapping: !get().snapping }),
}));

export const useCrumb = (): Crumb => useView((state) => state.crumbs.at(-1) ?? home);
