import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { FileValue, Hash } from '@cua-forge/spec/value';
import express, { Router } from 'express';
import { z } from 'zod';
import { mediaTypeOf } from '../documents/skill-file.ts';
import { sendDownload } from '../http/download.ts';
import { endpoint, read } from '../http/endpoint.ts';
import { getJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';

/** A name without folders and control characters. */
const FileName = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => name !== '.' && name !== '..' && !/[/\\]/.test(name), 'a file name without folders')
  .refine((name) => !/\p{Cc}/u.test(name), 'a file name without control characters');
const HashPath = z.object({ hash: Hash });

/** Uploads are parsed raw: mount it before any other body parser. */
export function uploadRoute({ store }: Services, limitBytes: number): Router {
  const router = Router();
  router.post(
    '/files',
    express.raw({ type: () => true, limit: limitBytes }),
    endpoint(FileValue, async (request) => {
      const { name } = read(z.strictObject({ name: FileName }), request.query, 'query');
      const bytes: unknown = request.body;
      if (!(bytes instanceof Uint8Array)) {
        throw new ForgeError('input.invalid', `The file "${name}" came without content.`, {
          fix: 'Send the bytes as the body of the request.',
        });
      }
      const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
      const specific =
        given !== '' && given !== 'application/octet-stream' && given !== 'application/x-www-form-urlencoded';
      const { hash, size } = await store.artifacts.put(bytes);
      return { name, mediaType: specific ? given : mediaTypeOf(name), hash, size };
    }),
  );
  return router;
}

export function fileRoutes({ store }: Services): Router {
  const router = Router();

  router.get('/files/:hash', async (request, response) => {
    const { hash } = read(HashPath, request.params, 'path');
    const { name, type } = read(
      z.strictObject({ name: FileName.optional(), type: z.string().optional() }),
      request.query,
      'query',
    );
    const bytes = await store.artifacts.get(hash);
    sendDownload(response, bytes, name ?? hash, type ?? mediaTypeOf(name ?? ''));
  });

  router.get(
    '/values/:hash',
    endpoint(Json, async (request) => {
      const { hash } = read(HashPath, request.params, 'path');
      const { index } = read(
        z.strictObject({ index: z.coerce.number().int().nonnegative().optional() }),
        request.query,
        'query',
      );
      const value = await getJson(store.artifacts, hash, Json, 'value');
      if (index === undefined) return value;
      const element = Array.isArray(value) ? value[index] : undefined;
      if (element === undefined) {
        throw new ForgeError('not-found', `The value has no element ${index}.`, {
          fix: 'Leave "index" out to read it whole.',
        });
      }
      return element;
    }),
  );
  return router;
}
