import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { builtFiles } from './built-files.ts';

let folder: string;
let server: Server;
let url: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'forge-built-'));
  await writeFile(join(folder, 'app-1.js'), 'const a = 1;'.repeat(1_000));
  await writeFile(join(folder, 'app-1.css'), 'a {}');
  const app = express();
  app.get('/near/:name', builtFiles(folder));
  app.get(
    '/far/:name',
    builtFiles(folder, () => false),
  );
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

describe('built files', () => {
  it('are sent as they are on this machine, for a year', async () => {
    const answer = await fetch(`${url}/near/app-1.js`);
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(answer.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await answer.text()).toHaveLength(12_000);
  });

  it('are sent compressed to others who can read that, unless they are small', async () => {
    const answer = await fetch(`${url}/far/app-1.js`);
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(Number(answer.headers.get('content-length'))).toBeLessThan(200);
    expect(await answer.text()).toHaveLength(12_000);
    const plain = await fetch(`${url}/far/app-1.js`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-length')).toBe('12000');
    expect((await fetch(`${url}/far/app-1.css`)).headers.get('content-encoding')).toBeNull();
  });

  it('are read once, also when they are gone afterwards, and nothing outside the folder is', async () => {
    await (await fetch(`${url}/near/app-1.js`)).arrayBuffer();
    await rm(join(folder, 'app-1.js'));
    expect((await fetch(`${url}/near/app-1.js`)).status).toBe(200);
    for (const name of ['gone.js', '..%2f..%2fetc%2fpasswd', '%2e%2e', '.preloads.json'])
      expect((await fetch(`${url}/near/${name}`)).status).toBe(404);
  });
});
