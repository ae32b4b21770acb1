import type { Health } from '@cua-forge/spec/api/system';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { KindMeta } from '@cua-forge/spec/kind';
import { create } from 'zustand';
import { watchReach } from './http.ts';
import { systemApi } from './system-api.ts';

interface ServerState {
  kinds: readonly KindMeta[];
  kindsError: ForgeError | null;
  health: Health | null;
  /** False from the first request without an answer until the next with one. */
  reachable: boolean;
  loadKinds(): Promise<void>;
}

/** What the studio knows of the server: its kinds, its health, whether it answers. */
export const useServer = create<ServerState>((set) => ({
  kinds: [],
  kindsError: null,
  health: null,
  reachable: true,
  async loadKinds() {
    try {
      set({ kinds: await systemApi.kinds(), kindsError: null });
    } catch (error) {
      set({ kindsError: toForgeError(error) });
    }
  },
}));

const HEALTHY_MS = 15_000;
const AWAY_MS = 2_000;

let checkNow: () => void = () => {};

/** Asks for the server's health at once: something else has noticed that it may be away. */
export function checkHealthNow(): void {
  checkNow();
}

/** Keeps health and reachability current for as long as the page is open. */
export function startHealthWatch(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  watchReach((reachable) => {
    if (useServer.getState().reachable !== reachable) useServer.setState({ reachable });
  });
  const tick = async () => {
    clearTimeout(timer);
    try {
      const { kinds, loadKinds } = useServer.getState();
      const [health] = await Promise.all([systemApi.health(), kinds.length === 0 ? loadKinds() : null]);
      useServer.setState({ health });
    } catch {
      // Reachability is told by the client itself; an unhealthy answer keeps the last health.
    }
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(tick, useServer.getState().reachable ? HEALTHY_MS : AWAY_MS);
  };
  checkNow = () => void tick();
  void tick();
  return () => {
    stopped = true;
    checkNow = () => {};
    clearTimeout(timer);
  };
}
