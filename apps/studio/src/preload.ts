/** Pages that need the most, by the first part of the path: their code and what they load first are on their way while the rest of the studio is read. */
const pages: Readonly<Record<string, () => Promise<unknown>>> = {
  documents: () => import('./editor/document-page.tsx'),
  runs: () => import('./pages/run-page.tsx'),
  packages: () => import('./pages/package-page.tsx'),
};

/** Begins to load what the page at this path will ask for. Resolves when its code is there; a failure shows when the page asks for it. */
export async function preload(path: string): Promise<void> {
  const [, section = '', id, other] = path.split('/');
  const page = pages[section];
  for (const address of ['/api/session', '/api/kinds', '/api/health']) begin(address);
  if (page === undefined || id === undefined || id === '' || other !== undefined) return;
  begin(`/api/${section}/${id}`);
  await page().catch(() => {});
}

/** The browser hands the answer to the first request for the same address. */
function begin(address: string): void {
  const link = document.createElement('link');
  link.rel = 'preload';
  link.as = 'fetch';
  link.crossOrigin = 'anonymous';
  link.href = address;
  document.head.append(link);
}
