import { allPages } from '@cua-forge/api-client/all-pages';
import { methodsOf } from '@cua-forge/api-client/methods';
import { documentsRoutes } from '@cua-forge/spec/routes/documents.routes';
import { http } from './http.ts';

export const documentsApi = methodsOf(http, documentsRoutes);

export const allDocuments = () => allPages(documentsApi.documents, ({ documents }) => documents);
/** Every document, with the revision that is published, or null. */
export const documentsWithPublished = () =>
  allPages(documentsApi.documents, ({ documents, published }) =>
    documents.map((document) => ({ ...document, published: published[document.id]?.revision ?? null })),
  );
