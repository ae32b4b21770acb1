import { viewAddress } from '../desktops/relay-views.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { keepDemonstration } from '../interchange/keep-demonstration.ts';
import type { User } from '../security/user.ts';
import type { Services } from '../services.ts';

const nameOf = (user: User | null): string => user?.name ?? 'somebody';

/** Desktops that run, wherever they do. */
export const desktopRoutes = ({
  desktops,
  store,
  access: { signer },
}: Pick<Services, 'desktops' | 'access' | 'store'>): HandlersOf<
  | 'desktops'
  | 'startDesktop'
  | 'endDesktop'
  | 'desktopPicture'
  | 'watchDesktop'
  | 'controlDesktop'
  | 'startRecording'
  | 'endRecording'
  | 'keepDemonstration'
> => ({
  desktops: () => desktops.list(),
  startDesktop: ({ body, user }) => desktops.start(body, nameOf(user)),
  endDesktop: async ({ params: { id } }) => {
    await desktops.end(id);
    return { ok: true };
  },
  desktopPicture: async ({ params: { id }, query: { width } }) => ({
    bytes: await desktops.picture(id, width),
    name: `${id}.jpg`,
    mediaType: 'image/jpeg',
  }),
  watchDesktop: ({ params: { id }, user }) => viewAddress(signer, { desktop: id, name: nameOf(user), control: false }),
  controlDesktop: ({ params: { id }, user }) => viewAddress(signer, { desktop: id, name: nameOf(user), control: true }),
  startRecording: ({ params: { id }, user }) => desktops.startRecording(id, nameOf(user)),
  endRecording: ({ params: { id } }) => desktops.endRecording(id),
  keepDemonstration: ({ params: { id }, body }) => keepDemonstration(store, id, body.recording),
});
