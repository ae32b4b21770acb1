import { execFile } from 'node:child_process';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const docker = join(import.meta.dirname, '../../docker');
const compose = join(docker, 'compose.yaml');
const run = promisify(execFile);
const passwords = { POSTGRES_PASSWORD: 'one', S3_PASSWORD: 'two', FORGE_TOKEN: 'three' };

const Compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string(),
      volumes: z.array(z.string()).default([]),
      ports: z.array(z.string()).default([]),
      environment: z.record(z.string(), z.unknown()).default({}),
    }),
  ),
});
const read = async () => Compose.parse(parse(await readFile(compose, 'utf8'), { merge: true }));

it('is a Compose file that the tool itself accepts', async () => {
  const { stdout } = await run('docker-compose', ['-f', compose, 'config', '--services'], {
    env: { ...process.env, ...passwords },
  });
  expect(stdout.trim().split('\n').sort()).toEqual([
    'attributes',
    'bucket',
    'postgres',
    's3',
    'server',
    'temporal',
    'temporal-ui',
    'worker',
  ]);
});

it('starts nothing without passwords', async () => {
  const { POSTGRES_PASSWORD, ...others } = passwords;
  void POSTGRES_PASSWORD;
  await expect(
    run('docker-compose', ['-f', compose, 'config', '-q'], { env: { ...process.env, ...others } }),
  ).rejects.toThrow(/POSTGRES_PASSWORD/);
});

it('pins every image, mounts what is there, and is reached from this machine alone', async () => {
  const { services } = await read();
  for (const [name, { image, volumes, ports }] of Object.entries(services)) {
    expect(image, name).toMatch(/:.+/);
    expect(image, name).not.toMatch(/:latest$/);
    for (const port of ports) expect(port, name).toMatch(/^127\.0\.0\.1:/);
    for (const [source = ''] of volumes.map((volume) => volume.split(':')))
      if (source.startsWith('.')) await expect(access(join(docker, source))).resolves.toBeUndefined();
  }
});

it('gives server and worker variables that they read', async () => {
  const { services } = await read();
  const text = (file: string) => readFile(join(docker, '..', file), 'utf8');
  const known = (
    await Promise.all(
      [
        'apps/server/src/load-env.ts',
        'apps/worker/src/load-env.ts',
        'packages/models/src/models-config.ts',
        'packages/store/src/store-settings.ts',
        'packages/telemetry/src/telemetry-config.ts',
      ].map((file) => text(file).catch(() => '')),
    )
  ).join('\n');
  const unread = ['server', 'worker'].flatMap((name) =>
    Object.keys(services[name]?.environment ?? {}).filter(
      (variable) => !variable.startsWith('AWS_') && !new RegExp(`\\b${variable}\\b`).test(known),
    ),
  );
  expect(unread).toEqual([]);
});
