import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withServices } from './embedded.ts';
import { runningInstance, takeLock } from './lock.ts';
import { silentReporter } from './progress.ts';
import { loadSettings } from './settings.ts';
import { startCommand } from './start-command.ts';

const addresses = {
  studio: 'http://127.0.0.1:7400',
  temporal: '127.0.0.1:7233',
  namespace: 'default',
  temporalUi: 'http://127.0.0.1:7400/temporal',
};
let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'forge-start-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

const settingsOf = (extra: Record<string, string> = {}) =>
  loadSettings(join(data, 'no-project'), { FORGE_DATA: data, ...extra });

function sink(): { out: Writable; text: () => string } {
  const chunks: string[] = [];
  const out = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { out, text: () => chunks.join('') };
}

describe('startCommand', () => {
  it('says where the running instance is, ends with 0 and leaves its lock alone', async () => {
    const first = await takeLock(data, 'start');
    if (!first.held) throw new Error('not held');
    await first.lock.publish(addresses);
    const { out, text } = sink();
    const code = await startCommand({
      settings: settingsOf(),
      demo: null,
      open: false,
      json: false,
      out,
      reporter: silentReporter,
    });
    expect(code).toBe(0);
    expect(text()).toContain('already runs');
    expect(text()).toContain(addresses.studio);
    expect(text()).toContain(addresses.temporalUi);
    expect(await runningInstance(data)).toMatchObject({ addresses });
  });

  it('gives the folder back when the start fails', async () => {
    const settings = settingsOf({ TEMPORAL_ADDRESS: '127.0.0.1:1' });
    await expect(
      startCommand({ settings, demo: null, open: false, json: false, reporter: silentReporter }),
    ).rejects.toMatchObject({
      code: 'temporal.unreachable',
      message: expect.stringContaining('127.0.0.1:1'),
      fix: expect.stringContaining('TEMPORAL_ADDRESS'),
    });
    expect(await runningInstance(data)).toBeNull();
  });
});

describe('withServices', () => {
  const run = (extra: Record<string, string> = {}) =>
    withServices({ settings: settingsOf(extra), reporter: silentReporter }, async (api) => api);

  it('uses FORGE_URL before all else', async () => {
    expect(await run({ FORGE_URL: 'http://10.0.0.1:7400', FORGE_TOKEN: 'a-long-secret-token' })).toEqual({
      url: 'http://10.0.0.1:7400',
      token: 'a-long-secret-token',
    });
  });

  it('uses the running instance, once it is ready', async () => {
    const first = await takeLock(data, 'start');
    if (!first.held) throw new Error('not held');
    const waiting = run();
    setTimeout(() => void first.lock.publish(addresses), 400);
    expect(await waiting).toEqual({ url: addresses.studio, token: undefined });
  });

  it('stops waiting when told to', async () => {
    await takeLock(data, 'command');
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 100);
    await expect(
      withServices({ settings: settingsOf(), reporter: silentReporter, signal: stop.signal }, async (api) => api),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('loadSettings', () => {
  it('names every variable that is wrong', () => {
    expect(() => loadSettings('/p', { FORGE_PORT: 'many', TEMPORAL_TLS: 'perhaps', FORGE_URL: 'here' })).toThrow(
      /FORGE_URL.*FORGE_PORT.*TEMPORAL_TLS/,
    );
  });

  it('takes a cluster with TLS as soon as there is a key', () => {
    expect(loadSettings('/p', { TEMPORAL_ADDRESS: 'a:7233', TEMPORAL_API_KEY: 'k' }).cluster).toMatchObject({
      namespace: 'default',
      tls: true,
      apiKey: 'k',
    });
    expect(loadSettings('/p', {})).toMatchObject({ cluster: null, data: '/p/.forge', port: 7400 });
  });
});
