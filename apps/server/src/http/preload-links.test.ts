import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { preloadLinks, readPreloads } from './preload-links.ts';

const preloads = {
  '': ['/assets/start-1.js', '/api/session'],
  documents: ['/assets/page-2.js', '/assets/page-3.css', '/api/documents/:id', '/api/session'],
};

describe('what a page says that the browser may load early', () => {
  it('is scripts, styles and requests in the order in which they are needed', () => {
    const everywhere = '</assets/start-1.js>; rel=modulepreload, </api/session>; rel=preload; as=fetch; crossorigin';
    expect(preloadLinks(preloads, '/')).toBe(everywhere);
    expect(preloadLinks(preloads, '/documents')).toBe(everywhere);
    expect(preloadLinks(preloads, '/documents/orders')).toBe(
      `</assets/page-2.js>; rel=modulepreload, </assets/page-3.css>; rel=preload; as=style; crossorigin, </api/documents/orders>; rel=preload; as=fetch; crossorigin, </api/session>; rel=preload; as=fetch; crossorigin`,
    );
  });

  it('is nothing of a page that the path does not name plainly', () => {
    for (const path of ['/documents/a/b', '/documents/a%3E', '/documents/a>;x', '/toString/a'])
      expect(preloadLinks(preloads, path)).toBe(preloadLinks(preloads, '/'));
    expect(preloadLinks({}, '/documents/orders')).toBeUndefined();
  });

  it('comes from the built studio', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forge-preloads-'));
    try {
      expect(await readPreloads(folder)).toEqual({});
      await writeFile(join(folder, '.preloads.json'), JSON.stringify(preloads));
      expect(await readPreloads(folder)).toEqual(preloads);
      await writeFile(join(folder, '.preloads.json'), JSON.stringify({ '': ['/a>, <https://elsewhere>'] }));
      expect(await readPreloads(folder)).toEqual({});
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
