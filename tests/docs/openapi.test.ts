import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiRoutes, routeNames } from '@cua-forge/spec/api-routes';
import { openapiDocument } from '@cua-forge/spec/openapi';
import { validate } from '@readme/openapi-parser';
import { describe, expect, it } from 'vitest';
import manifest from '../../apps/server/package.json' with { type: 'json' };
import { root } from './read-docs.ts';

const text = readFileSync(join(root, 'docs/operations/openapi.json'), 'utf8');

describe('docs/operations/openapi.json', () => {
  it('is what `npm run openapi` writes', () => {
    expect(JSON.parse(text)).toEqual(openapiDocument(manifest.version));
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    expect(await validate(JSON.parse(text))).toMatchObject({ valid: true });
    const broken = JSON.parse(text);
    broken.paths['/api/health'].get.responses = 'none';
    expect(await validate(broken)).toMatchObject({ valid: false });
  });

  it('has every route of the table, and nothing else', () => {
    const document = JSON.parse(text);
    const found = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>)
      .flatMap((path) => Object.values(path))
      .map((operation) => operation.operationId);
    expect(found.sort()).toEqual([...routeNames].sort());
  });

  it('repeats no name, method or path', () => {
    const places = routeNames.map((name) => `${apiRoutes[name].method} ${apiRoutes[name].path}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

it('docs/operations/api.md has a row for every address', () => {
  const page = readFileSync(join(root, 'docs/operations/api.md'), 'utf8');
  const rows = [...page.matchAll(/`(GET|POST|PUT|DELETE) (\/api\/[^\s?`]+)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const missing = routeNames
    .map((name) => `${apiRoutes[name].method} /api${apiRoutes[name].path}`)
    .filter((place) => !rows.includes(place));
  expect(missing).toEqual([]);
});
