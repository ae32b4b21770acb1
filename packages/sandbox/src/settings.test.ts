import { expect, it } from 'vitest';
import { loadSandboxSettings } from './settings.ts';

it('reads hosts with their limits, and has the local daemon by default', () => {
  expect(loadSandboxSettings({}, '/project').hosts).toEqual([{ url: 'unix:///var/run/docker.sock', limit: 4 }]);
  expect(
    loadSandboxSettings({ FORGE_SANDBOX_HOSTS: 'unix:///a.sock=2  ssh://me@desk=8 https://big:2376' }, '/project')
      .hosts,
  ).toEqual([
    { url: 'unix:///a.sock', limit: 2 },
    { url: 'ssh://me@desk', limit: 8 },
    { url: 'https://big:2376', limit: 4 },
  ]);
});

it.each(['tcp://192.0.2.7:2375', 'ftp://x', 'nonsense', 'unix:///a.sock=0'])('refuses %s', (host) =>
  expect(() => loadSandboxSettings({ FORGE_SANDBOX_HOSTS: host }, '/project')).toThrow(
    expect.objectContaining({ code: 'input.invalid' }),
  ),
);
