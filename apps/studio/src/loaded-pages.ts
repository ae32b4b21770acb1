import type { DocumentPage } from './editor/document-page.tsx';

/** Pages whose code was there before the studio was shown: they need no sign of loading. */
export const loadedPages: { document?: typeof DocumentPage } = {};
