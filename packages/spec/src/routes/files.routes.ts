import { z } from 'zod';
import type { ApiRoute } from '../api-route.ts';
import { Json } from '../json.ts';
import { PagePictures } from '../page-pictures.ts';
import { FileValue } from '../value.ts';
import { FileName, ofHash, whole } from './params.ts';

/** Files and values. */
export const filesRoutes = {
  uploadFile: {
    method: 'POST',
    path: '/files',
    summary: 'Stores raw bytes; the type is taken from `Content-Type`, else from the name.',
    role: 'author',
    query: z.strictObject({ name: FileName }),
    body: 'bytes',
    answers: FileValue,
    repeatable: true,
    audit: { action: 'file.upload' },
  },
  file: {
    method: 'GET',
    path: '/files/:hash',
    summary: 'The bytes of a file, always as a download.',
    role: 'viewer',
    params: ofHash,
    query: z.strictObject({ name: FileName.optional(), type: z.string().optional() }),
    answers: 'bytes',
  },
  filePages: {
    method: 'GET',
    path: '/files/:hash/pages',
    summary:
      'Pictures of the pages of a document, slides, a workbook or a PDF: hashes of PNGs, drawn once by a worker.',
    role: 'viewer',
    params: ofHash,
    query: z.strictObject({ name: FileName }),
    answers: PagePictures,
  },
  value: {
    method: 'GET',
    path: '/values/:hash',
    summary: 'The JSON behind a reference, or one element of a list.',
    role: 'viewer',
    params: ofHash,
    query: z.strictObject({ index: whole.optional() }),
    answers: Json,
  },
} as const satisfies Record<string, ApiRoute>;
