import { FileValue } from '@cua-forge/spec/value';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.stop());

const upload = (name: string, body: BodyInit, type = 'application/octet-stream') =>
  fetch(`${server.url}/api/files?name=${encodeURIComponent(name)}`, {
    method: 'POST',
    body,
    headers: { 'content-type': type },
  });

describe('files', () => {
  it('keep their bytes and their unicode name, and find their media type', async () => {
    const bytes = new Uint8Array(256).map((_, index) => index);
    const file = FileValue.parse(await (await upload('Umsätze "März" 売上.xlsx', bytes)).json());
    expect(file).toMatchObject({ name: 'Umsätze "März" 売上.xlsx', size: 256 });
    expect(file.mediaType).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    const query = new URLSearchParams({ name: file.name, type: file.mediaType });
    const download = await fetch(`${server.url}/api/files/${file.hash}?${query}`);
    expect(new Uint8Array(await download.arrayBuffer())).toEqual(bytes);
    const disposition = download.headers.get('content-disposition') ?? '';
    expect(disposition).toMatch(/^attachment; /);
    expect(disposition).toContain(`filename*=UTF-8''Ums%C3%A4tze%20%22M%C3%A4rz%22%20%E5%A3%B2%E4%B8%8A.xlsx`);
    expect(download.headers.get('content-type')).toBe(file.mediaType);
  });

  it('take JSON and empty types as plain bytes', async () => {
    const file = FileValue.parse(await (await upload('data.json', '{"a":1}', 'application/json')).json());
    expect(file).toMatchObject({ mediaType: 'application/json', size: 7 });
  });

  it.each(['text/html', 'image/svg+xml', 'application/xhtml+xml', 'text/javascript', 'nonsense'])(
    'are never served as %s',
    async (type) => {
      const file = FileValue.parse(await (await upload('page.html', '<script>alert(1)</script>', 'text/html')).json());
      const download = await fetch(
        `${server.url}/api/files/${file.hash}?${new URLSearchParams({ name: 'page.html', type })}`,
      );
      expect(download.headers.get('content-type')).toBe('application/octet-stream');
      expect(download.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(download.headers.get('content-security-policy')).toContain('sandbox');
    },
  );

  it.each(['../up.txt', 'a/b.txt', 'a\\b.txt', '..', '', 'line\nbreak'])('refuse the name %j', async (name) => {
    expect((await upload(name, 'x')).status).toBe(400);
  });

  it('over 50 MB are refused with what to do', async () => {
    const answer = await upload('large.bin', new Uint8Array(50 * 1_048_576 + 1));
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      error: { code: 'request.too-large', message: expect.stringContaining('50 MB') },
    });
  });

  it('that are not there are 404', async () => {
    expect((await server.call('GET', `/api/files/${'0'.repeat(64)}`)).status).toBe(404);
    expect((await server.call('GET', '/api/files/abc')).status).toBe(400);
  });
});

describe('bodies', () => {
  it('over 8 MB, that are no JSON, or of another type are refused clearly', async () => {
    const post = (body: string, type: string) =>
      fetch(`${server.url}/api/validate`, { method: 'POST', body, headers: { 'content-type': type } });
    const large = await post(JSON.stringify({ source: 'x'.repeat(8 * 1_048_576) }), 'application/json');
    expect(large.status).toBe(413);
    expect(await large.json()).toMatchObject({ error: { message: expect.stringContaining('8 MB') } });
    const broken = await post('{"source":', 'application/json');
    expect(broken.status).toBe(400);
    expect(await broken.json()).toMatchObject({
      error: { code: 'input.invalid', message: expect.stringContaining('not JSON') },
    });
    expect((await post('{"source":"x"}', 'text/plain')).status).toBe(400);
  });
});

describe('values', () => {
  it('are read whole or one element at a time', async () => {
    const { hash } = await server.store.artifacts.put(new TextEncoder().encode('[{"a":1},"two"]'));
    expect((await server.call('GET', `/api/values/${hash}`)).body).toEqual([{ a: 1 }, 'two']);
    expect((await server.call('GET', `/api/values/${hash}?index=1`)).body).toBe('two');
    expect((await server.call('GET', `/api/values/${hash}?index=2`)).status).toBe(404);
  });
});
