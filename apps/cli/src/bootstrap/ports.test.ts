import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './ports.ts';

it('gives the preferred port when it is free, else the next free one', async () => {
  const preferred = await freePort(27_000);
  const server = createServer().listen(preferred, '127.0.0.1');
  await once(server, 'listening');
  const next = await freePort(preferred);
  expect(next).toBeGreaterThan(preferred);
  expect(next).toBeLessThan(preferred + 200);
  server.close();
});
