import { afterEach, expect, inject, it } from 'vitest';
import { startTestServer, type TestServer } from '../../apps/server/src/testing/test-server.ts';

const { uiUrl, namespace } = inject('temporal');
let server: TestServer;
afterEach(() => server.stop());

it('shows the Temporal UI under the own origin, with its assets and its API', async () => {
  server = await startTestServer({ env: { FORGE_TEMPORAL_UI: new URL(uiUrl).origin } });
  const page = await fetch(`${server.url}/temporal/`, { headers: { accept: 'text/html' } });
  expect(page.status).toBe(200);
  const html = await page.text();
  const asset = /["'](\/temporal\/[^"']+\.js)["']/.exec(html)?.[1];
  expect(asset).toBeDefined();
  const script = await fetch(`${server.url}${asset}`);
  expect(script.status).toBe(200);
  expect(script.headers.get('content-type')).toContain('javascript');
  const info = await fetch(`${server.url}/temporal/api/v1/namespaces/${namespace}`, {
    headers: { origin: server.url },
  });
  expect(await info.json()).toMatchObject({ namespaceInfo: { name: namespace } });
  expect((await server.call('GET', '/api/health')).body).toMatchObject({ temporalUi: '/temporal' });
});

it('says so when the Temporal UI does not answer', async () => {
  server = await startTestServer({ env: { FORGE_TEMPORAL_UI: 'http://127.0.0.1:9' } });
  const page = await fetch(`${server.url}/temporal/namespaces`);
  expect(page.status).toBe(503);
  expect(await page.text()).toContain('does not answer');
});
