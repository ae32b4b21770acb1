import type { Look } from '@cua-forge/spec/check-look';
import type { StateReader } from '@cua-forge/spec/state-reader';
import { z } from 'zod';
import { queryDatabase } from './database.ts';
import { list, missing, type Seen } from './seen.ts';

interface Bookmark {
  type: string;
  name: string;
  url?: string | undefined;
  children?: Bookmark[] | undefined;
}
const Bookmark: z.ZodType<Bookmark> = z.lazy(() =>
  z.object({ type: z.string(), name: z.string(), url: z.string().optional(), children: z.array(Bookmark).optional() }),
);
const Bookmarks = z.object({ roots: z.record(z.string(), z.unknown()) });

function flat(mark: Bookmark): Bookmark[] {
  return [mark, ...(mark.children ?? []).flatMap(flat)];
}

/** What a profile of Chromium holds: bookmarks in their order, visited addresses, hosts with cookies. */
export async function lookAtBrowser(see: Extract<Look, { look: 'browser' }>, reader: StateReader): Promise<Seen> {
  if (see.of === 'history')
    return many(
      await queryDatabase(
        reader,
        `${see.path}/History`,
        'select url from urls order by last_visit_time desc limit 5000',
      ),
    );
  if (see.of === 'cookies') {
    const cookies = (await reader.readFile(`${see.path}/Network/Cookies`)) === null ? 'Cookies' : 'Network/Cookies';
    return many(
      await queryDatabase(
        reader,
        `${see.path}/${cookies}`,
        'select distinct host_key from cookies order by host_key limit 5000',
      ),
    );
  }
  const bytes = await reader.readFile(`${see.path}/Bookmarks`);
  if (bytes === null) return missing(`there is no file ${see.path}/Bookmarks`);
  const { roots } = Bookmarks.parse(JSON.parse(new TextDecoder().decode(bytes)));
  const tops = Object.values(roots).flatMap((root) => Bookmark.safeParse(root).data ?? []);
  const all = tops.flatMap(flat);
  const folder =
    see.folder === undefined ? undefined : all.find(({ type, name }) => type === 'folder' && name === see.folder);
  if (see.folder !== undefined && folder === undefined) return missing(`there is no folder of bookmarks ${see.folder}`);
  const within = folder === undefined ? all.filter((one) => !tops.includes(one)) : (folder.children ?? []);
  if (see.of === 'bookmark-folders')
    return list(within.filter(({ type }) => type === 'folder').map(({ name }) => name));
  const marks = within.filter(({ type }) => type === 'url');
  return list(marks.map(({ name, url }) => (see.of === 'bookmarks' ? name : (url ?? null))));
}

/** A query with one row gives a value; here it is a list of one. */
const many = (seen: Seen): Seen => (seen.kind === 'value' ? list([seen.value]) : seen);
