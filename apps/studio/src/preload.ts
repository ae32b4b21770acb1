import { askEarly } from './api/early.ts';
import { loadedPages } from './loaded-pages.ts';
import { type PreloadedSection, preloadedPages, requests } from './preloads.ts';

/** Code of a page, and what it reads before it is shown. */
const pages: Readonly<Record<PreloadedSection, (id: string) => Promise<unknown>>> = {
  documents: async (id) => {
    const { DocumentPage, readEarly } = await import('./editor/document-page.tsx');
    loadedPages.document = DocumentPage;
    await readEarly(id);
  },
  runs: () => import('./pages/run-page.tsx'),
  packages: () => import('./pages/package-page.tsx'),
};
/** Milliseconds after which a page is shown without what it reads. */
const PATIENCE_MS = 1_000;

/**
 * Asks for what the page at this path will ask for. The server names the same, and the scripts, in the headers of the built page, so that there all of it is
 * on its way before this runs.
 */
export function askFirst(path: string): void {
  const member = memberOf(path);
  for (const address of member === null
    ? requests
    : [preloadedPages[member.section].request.replace(':id', () => member.id), ...requests])
    askEarly(address);
}

/** Resolves when what the page at this path needs is there, or after a while. A failure shows when the page asks again. */
export async function preload(path: string): Promise<void> {
  const member = memberOf(path);
  if (member === null) return;
  await Promise.race([
    pages[member.section](member.id).catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
}

function memberOf(path: string): { section: PreloadedSection; id: string } | null {
  const [, section = '', id, other] = path.split('/');
  if (!isPreloaded(section) || id === undefined || id === '' || other !== undefined) return null;
  return { section, id };
}

const isPreloaded = (section: string): section is PreloadedSection => Object.hasOwn(pages, section);
