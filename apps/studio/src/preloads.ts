/** Pages that need the most, by the first part of their path: their modules, relative to this folder. */
export const pageModules = {
  documents: 'editor/document-page.tsx',
  runs: 'pages/run-page.tsx',
  packages: 'pages/package-page.tsx',
} as const;
export type PreloadedSection = keyof typeof pageModules;

/** What every page asks for first. */
export const requests: readonly string[] = ['/api/kinds', '/api/session', '/api/health'];
/** What such a page asks for besides. */
export const requestOf = (section: string, id: string): string =>
  section === 'documents' ? `/api/documents/${id}/graph` : `/api/${section}/${id}`;
