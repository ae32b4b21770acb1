import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { type GraphDocument, MAIN_GRAPH } from '@cua-forge/spec/document';
import { build } from 'vite';

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Serves a page with React Flow alone that shows the nodes and edges of the document at the same places. */
export async function serveBarePage(document: GraphDocument): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'forge-bare-'));
  await build({
    root: join(import.meta.dirname, 'bare'),
    base: './',
    logLevel: 'error',
    esbuild: { jsx: 'automatic' },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022' },
  });
  const places = document.layout[MAIN_GRAPH] ?? {};
  const picture = {
    nodes: document.nodes.map(({ id, title }) => ({
      id,
      position: { x: places[id]?.x ?? 0, y: places[id]?.y ?? 0 },
      data: { label: title ?? id },
      sourcePosition: 'right',
      targetPosition: 'left',
    })),
    edges: document.edges.map(({ from, to }) => ({
      id: `${from}>${to}`,
      source: from.split('.')[0],
      target: to.split('.')[0],
    })),
  };
  await writeFile(join(folder, 'picture.json'), JSON.stringify(picture));
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://bare').pathname);
    readFile(join(folder, path === '/' ? 'index.html' : path)).then(
      (bytes) =>
        response.writeHead(200, { 'content-type': types[extname(path) || '.html'] ?? 'application/json' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
