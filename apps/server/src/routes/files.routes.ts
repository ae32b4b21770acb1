import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { mediaTypeOf } from '../documents/skill-file.ts';
import { pagePictures } from '../files/page-pictures.ts';
import type { HandlersOf } from '../http/handlers.ts';
import { getJson } from '../runs/json-artifact.ts';
import { bytesWithoutHidden, seesHidden } from '../security/hidden-values.ts';
import type { Services } from '../services.ts';

export const fileRoutes = (services: Services): HandlersOf<'uploadFile' | 'file' | 'filePages' | 'value'> => {
  const { store } = services;
  return {
    uploadFile: async ({ query: { name }, body, request }) => {
      const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
      const specific =
        given !== '' && given !== 'application/octet-stream' && given !== 'application/x-www-form-urlencoded';
      const { hash, size } = await store.artifacts.put(body);
      return { name, mediaType: specific ? given : mediaTypeOf(name), hash, size };
    },

    file: async ({ params: { hash }, query: { name, type }, user }) => {
      const bytes = await store.artifacts.get(hash);
      return {
        bytes: seesHidden(user) ? bytes : bytesWithoutHidden(bytes),
        name: name ?? hash,
        mediaType: type ?? mediaTypeOf(name ?? ''),
      };
    },

    filePages: ({ params: { hash }, query: { name }, response }) => pagePictures(services, { hash, name }, response),

    value: async ({ params: { hash }, query: { index } }) => {
      const value = await getJson(store.artifacts, hash, Json, 'value');
      if (index === undefined) return value;
      const element = Array.isArray(value) ? value[index] : undefined;
      if (element === undefined) {
        throw new ForgeError('not-found', `The value has no element ${index}.`, {
          fix: 'Leave "index" out to read it whole.',
        });
      }
      return element;
    },
  };
};
