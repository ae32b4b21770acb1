import type { SessionView } from '@cua-forge/spec/api/access';
import { type Role, roleIncludes } from '@cua-forge/spec/api-route';
import { create } from 'zustand';
import { accessApi } from './access-api.ts';
import { watchLoggedOut } from './http.ts';
import { checkHealthNow } from './server-store.ts';

interface SessionState {
  /** Null until the server has said who asks. */
  session: SessionView | null;
  /** Whether a session ended by itself while the studio was in use: what is open stays open, and edits are kept. */
  expired: boolean;
  load(): Promise<void>;
  /** @throws ForgeError `unauthorized` */
  logIn(token: string): Promise<void>;
  logOut(): Promise<void>;
}

/** Who uses the studio. */
export const useSession = create<SessionState>((set) => ({
  session: null,
  expired: false,
  async load() {
    try {
      const session = await accessApi.session();
      set(({ session: before, expired }) => ({
        session,
        expired: session.user === null && (expired || (before !== null && before.user !== null)),
      }));
    } catch {
      // The banner tells when the server is away; a server without sessions lets everybody in.
    }
  },
  async logIn(token) {
    set({ session: await accessApi.openSession({ token }), expired: false });
    checkHealthNow();
  },
  async logOut() {
    await accessApi.closeSession();
    set({ session: await accessApi.session(), expired: false });
  },
}));

/** Asks who is logged in as soon as an answer says that nobody is. Wrong tokens at the login itself say so there. */
export function startSessionWatch(): void {
  watchLoggedOut(() => {
    const { session, load } = useSession.getState();
    if (session !== null && session.user !== null) void load();
  });
}

/** Whether the user may do what takes this role. True until it is known: the server decides anyway. */
export const useMay = (role: Role): boolean =>
  useSession(({ session }) => session === null || (session.user !== null && roleIncludes(session.user.role, role)));
