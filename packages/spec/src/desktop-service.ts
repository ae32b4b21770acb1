import { z } from 'zod';

/** What a worker's desktop service and the server say to each other. Paths are the server's own: `/desktops…`. */
export const desktopServicePaths = {
  list: '/desktops',
  one: (id: string): string => `/desktops/${encodeURIComponent(id)}`,
  picture: (id: string, width: number): string => `/desktops/${encodeURIComponent(id)}/picture?width=${width}`,
  recording: (id: string): string => `/desktops/${encodeURIComponent(id)}/recording`,
  /** A WebSocket that carries RFB. */
  view: (id: string, viewer: { name: string; control: boolean }): string =>
    `/desktops/${encodeURIComponent(id)}/view?${new URLSearchParams({ name: viewer.name, control: viewer.control ? '1' : '0' })}`,
} as const;

export const DesktopId = z.string().regex(/^[a-z0-9-]{1,64}$/, 'an id of a desktop');

/** Folder of the sockets of the desktop services of this machine, below the runtime folder of sandboxes. */
export const desktopSocketsFolder = '.views';

/** Who starts something, as the server knows them. */
export const ByWhom = z.object({ by: z.string().min(1).max(200) });
