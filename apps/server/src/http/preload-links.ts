import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

/** Addresses by the first part of a page's path, '' for every other page; written by the studio's build. */
const Preloads = z.record(z.string(), z.array(z.string().regex(/^\/[\w./:-]+$/)));
type Preloads = z.infer<typeof Preloads>;

/** What the studio in this folder says that its pages need; nothing where it says nothing. */
export async function readPreloads(folder: string): Promise<Preloads> {
  try {
    return Preloads.parse(JSON.parse(await readFile(join(folder, '.preloads.json'), 'utf8')));
  } catch {
    return {};
  }
}

/** Value of the header `Link` of a page: what the browser may load while it reads the page. Undefined when that is nothing. */
export function preloadLinks(preloads: Preloads, path: string): string | undefined {
  const [, section = '', id = '', other] = path.split('/');
  const named = /^[\w.~-]+$/.test(id) && other === undefined && Object.hasOwn(preloads, section);
  const wanted = preloads[named ? section : ''] ?? [];
  return wanted.length === 0 ? undefined : wanted.map((address) => link(address.replace(':id', id))).join(', ');
}

function link(address: string): string {
  if (address.endsWith('.js')) return `<${address}>; rel=modulepreload`;
  return `<${address}>; rel=preload; as=${address.endsWith('.css') ? 'style' : 'fetch'}; crossorigin`;
}
