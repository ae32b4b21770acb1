import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import express, { Router } from 'express';
import { builtFiles } from '../http/built-files.ts';
import { preloadLinks, readPreloads } from '../http/preload-links.ts';
import { studioHeaders } from '../security/response-headers.ts';

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>CUA Forge</title>
<h1>The studio is not built yet</h1>
<p>The server runs and its API answers under <code>/api</code>. To build the studio, run <code>npm start</code> in the project's folder, or
<code>npx vite build apps/studio</code>, and reload this page.</p>
</html>
`;

/** Serves the built studio; an address that is no file of it gets its first page, which shows what the address names. */
export function studioRoutes(folder: string): Router {
  const root = resolve(folder);
  const page = join(root, 'index.html');
  const router = Router();
  router.use(studioHeaders);
  // Built files carry a hash in their names; the page that names them does not.
  router.get('/assets/:name', builtFiles(join(root, 'assets')));
  router.use(express.static(root, { index: false, redirect: false, maxAge: 0 }));
  router.get('/{*path}', async (request, response, next) => {
    if (request.path.startsWith('/assets/') || request.accepts('html') === false) {
      next();
      return;
    }
    response.setHeader('Cache-Control', 'no-cache');
    try {
      await access(page);
    } catch {
      response.status(503).type('html').send(notBuilt);
      return;
    }
    const links = preloadLinks(await readPreloads(root), request.path);
    if (links !== undefined) response.setHeader('Link', links);
    response.sendFile(page);
  });
  return router;
}
