import { ForgeError } from '@cua-forge/spec/errors';
import { isPaged, PagePictures, pagesKey } from '@cua-forge/spec/page-pictures';
import type { Response } from 'express';
import { consult } from '../models/consult.ts';
import type { Services } from '../services.ts';

/**
 * Pictures of a file's pages: those that were drawn before, or drawn now by a worker. Two that ask for one file at once have it drawn once.
 * @throws ForgeError `input.invalid` for a file without pages, `artifact.missing`, `tool.missing`, `file.unreadable`, `temporal.unreachable`
 */
export async function pagePictures(
  services: Services,
  { hash, name }: { hash: string; name: string },
  response: Response,
): Promise<PagePictures> {
  const { store, locks, now } = services;
  if (!isPaged(name))
    throw new ForgeError('input.invalid', `"${name}" is no file with pages.`, {
      fix: 'Pages are drawn of documents, slides, sheets and PDFs, by the ending of the name.',
    });
  const key = pagesKey(hash, name);
  return locks.with(`pages/${key}`, async () => {
    const known = await store.meta.pagesOf(key);
    if (known !== null && (await allThere(services, known))) return known;
    if (!(await store.artifacts.has(hash)))
      throw new ForgeError('artifact.missing', `The bytes of "${name}" are not in the store.`);
    const drawn = await consult(services, { what: 'pages', hash, name }, PagePictures, response);
    await store.meta.keepPages(key, drawn, now());
    return drawn;
  });
}

async function allThere({ store }: Services, { pages }: PagePictures): Promise<boolean> {
  for (const page of pages) if (!(await store.artifacts.has(page.hash))) return false;
  return true;
}
