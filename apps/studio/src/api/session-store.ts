import type { SessionView } from '@cua-forge/spec/api';
import { type Role, roleIncludes } from '@cua-forge/spec/api-route';
import { create } from 'zustand';
import { api } from './api-client.ts';
import { checkHealthNow } from './server-store.ts';

interface SessionState {
  /** Null until the server has said who asks. */
  session: SessionView | null;
  load(): Promise<void>;
  /** @throws ForgeError `unauthorized` */
  logIn(token: string): Promise<void>;
  logOut(): Promise<void>;
}

/** Who uses the studio. */
export const useSession = create<SessionState>((set) => ({
  session: null,
  async load() {
    try {
      set({ session: await api.session() });
    } catch {
      // The banner tells when the server is away; a server without sessions lets everybody in.
    }
  },
  async logIn(token) {
    set({ session: await api.openSession({ token }) });
    checkHealthNow();
  },
  async logOut() {
    await api.closeSession();
    set({ session: await api.session() });
  },
}));

/** Whether the user may do what takes this role. True until it is known: the server decides anyway. */
export const useMay = (role: Role): boolean =>
  useSession(({ session }) => session === null || (session.user !== null && roleIncludes(session.user.role, role)));
