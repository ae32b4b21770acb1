/** Pages that need the most, by the first part of their path: their modules, relative to this folder, and what they ask for, with `:id` for the second part. */
export const preloadedPages = {
  documents: { module: 'editor/document-page.tsx', request: '/api/documents/:id/graph' },
  runs: { module: 'pages/run-page.tsx', request: '/api/runs/:id' },
  packages: { module: 'pages/package-page.tsx', request: '/api/packages/:id' },
} as const;
export type PreloadedSection = keyof typeof preloadedPages;

/** What every page asks for first. */
export const requests: readonly string[] = ['/api/kinds', '/api/session', '/api/health'];
