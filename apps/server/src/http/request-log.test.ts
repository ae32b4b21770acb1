import { expect, it } from 'vitest';
import { startTestServer } from '../testing/test-server.ts';
import { createLogger } from './request-log.ts';

const collector = () => {
  const lines: string[] = [];
  return { lines, stream: { write: (line: string) => lines.push(line) } };
};

it('cuts credentials out of what is logged', () => {
  const { lines, stream } = collector();
  const secret = 'do-not-log-this';
  const log = createLogger('info', stream);
  log.info(
    {
      authorization: secret,
      req: { headers: { authorization: `Bearer ${secret}`, cookie: secret } },
      env: { token: secret },
    },
    'x',
  );
  expect(lines).toHaveLength(1);
  expect(lines.join('')).not.toContain(secret);
});

it('logs a request without its query, where a token may stand', async () => {
  const { lines, stream } = collector();
  const server = await startTestServer({
    log: createLogger('debug', stream),
    env: { FORGE_TOKEN: 'long-enough-token-1' },
  });
  await fetch(`${server.url}/api/kinds?token=long-enough-token-1`, { redirect: 'manual' });
  await fetch(`${server.url}/api/kinds`, { headers: { authorization: 'Bearer long-enough-token-1' } });
  await server.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { method: 'GET', path: '/api/kinds', status: 303 },
    { method: 'GET', path: expect.stringMatching(/kinds/), status: 200 },
  ]);
  expect(lines.join('')).not.toContain('long-enough-token-1');
});

it('logs a call of a hook without its token', async () => {
  const { lines, stream } = collector();
  const server = await startTestServer({ log: createLogger('debug', stream) });
  const token = 'x'.repeat(43);
  await server.call('POST', `/api/hooks/${token}`, {});
  await server.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ path: '/api/hooks/[cut]', status: 404 }]);
  expect(lines.join('')).not.toContain(token);
});
