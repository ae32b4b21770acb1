import { z } from 'zod';
import { Hash } from './value.ts';

/** Pages of one file that are drawn at most. */
export const mostPages = 40;

/** Endings of files that are laid out on pages, as people see them when they open or print them. */
export const pagedEndings = [
  'pdf',
  ...['docx', 'doc', 'odt', 'rtf'],
  ...['pptx', 'ppt', 'odp'],
  ...['xlsx', 'xls', 'ods'],
] as const;

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** Whether a file of this name can be drawn page by page. */
export const isPaged = (name: string): boolean => pagedEndings.some((ending) => ending === endingOf(name));

/** Under what the pictures of a file are kept: its content, and what its name says that it is. */
export const pagesKey = (hash: string, name: string): string => `${hash}.${endingOf(name)}`;

/** GET /api/files/:hash/pages: pictures of a file's pages as PNG, under their hashes, in order. */
export const PagePictures = z.strictObject({
  pages: z.array(
    z.strictObject({ hash: Hash, size: z.number().int(), width: z.number().int(), height: z.number().int() }),
  ),
  /** Pages that the file has; those beyond the first ones are not drawn. */
  total: z.number().int().nonnegative(),
});
export type PagePictures = z.infer<typeof PagePictures>;

/** The part of the store that keeps which pictures were drawn of which file. They may be collected: whoever reads them draws anew what is gone. */
export interface PageLog {
  pagesOf(key: string): Promise<PagePictures | null>;
  /** In the place of those that were kept before. */
  keepPages(key: string, pictures: PagePictures, at: number): Promise<void>;
}
