import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { dockerProvider } from '@cua-forge/sandbox/docker/docker-provider';
import { WarmPool } from '@cua-forge/sandbox/warm-pool';
import { keptReady, type Sandbox } from '@cua-forge/spec/sandbox-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapeProbes } from './escape-probes.ts';
import { type Desks, prepareDesks } from './prepare.ts';

let desks: Desks;
beforeAll(async () => {
  desks = await prepareDesks();
}, 1_500_000);
afterAll(() => desks?.stop(), 120_000);

const small = { width: 1024, height: 768, memoryMb: 1024, diskMb: 128 };

describe.each(['docker', 'bubblewrap'] as const)('a desktop with %s', (name) => {
  let desk: Sandbox;
  beforeAll(async () => {
    desk = await desks[name].start({ ...small, lease: 'desktop test' });
  });
  afterAll(() => desk?.close());

  it('keeps the state of its shell, streams output, bounds it, and ends what runs too long', async () => {
    await desk.shell('cd /tmp; X=7');
    expect(await desk.shell('echo "$PWD $X"; echo bad >&2; (exit 3)')).toMatchObject({
      stdout: '/tmp 7\n',
      stderr: 'bad\n',
      exitCode: 3,
      timedOut: false,
    });
    let heard = '';
    const flood = await desk.shell('head -c 300000 /dev/zero | tr "\\0" x', {
      maxBytes: 1000,
      onOutput: (_stream, text) => {
        heard += text;
      },
    });
    expect(flood).toMatchObject({ stdout: 'x'.repeat(1000), droppedBytes: 299_000 });
    expect(heard).toBe(flood.stdout);
    expect(await desk.shell('sleep 61 & sleep 60', { timeoutMs: 300 })).toMatchObject({
      timedOut: true,
      exitCode: 124,
      restarted: false,
    });
    expect((await desk.shell('echo $X; pgrep -c sleep')).stdout).toBe('7\n0\n');
    expect(await desk.shell('while :; do :; done', { timeoutMs: 300 })).toMatchObject({
      timedOut: true,
      restarted: true,
    });
  });

  it('runs programs, and names those that are not there', async () => {
    expect(await desk.exec(['cat'], { stdin: 'für dich' })).toMatchObject({ stdout: 'für dich', exitCode: 0 });
    await expect(desk.exec(['no-such-program'])).rejects.toMatchObject({ code: 'sandbox.refused' });
    expect(await desk.exec(['sleep', '60'], { timeoutMs: 200 })).toMatchObject({ timedOut: true });
  });

  it('brings files in and out whole, refuses links, ways out, and what is too large', async () => {
    const bytes = new Uint8Array(600_000).map((_, index) => index % 251);
    await desk.putFile('deep/er/data.bin', bytes, { mode: 0o600 });
    expect(Buffer.from(await desk.getFile(`${desk.home}/deep/er/data.bin`)).equals(Buffer.from(bytes))).toBe(true);
    expect(await desk.listFolder(`${desk.home}/deep/er`)).toEqual([{ name: 'data.bin', kind: 'file', size: 600_000 }]);
    await expect(desk.getFile('deep/er/data.bin', { maxBytes: 1000 })).rejects.toMatchObject({
      code: 'sandbox.refused',
    });
    for (const path of ['/etc/passwd', '../x', '/home/user/../../etc/passwd', '/tmp/./x', '/proc/self/environ'])
      await expect(desk.getFile(path)).rejects.toMatchObject({ code: 'sandbox.refused' });
  });

  it('shows itself over its agent to as many as look, and goes on when they leave', async () => {
    const greetings = await Promise.all(
      [true, false].map(async (control) => {
        const view = await desks[name].view(desk.id, { control });
        const [first] = await once(view.resume(), 'data');
        view.destroy();
        return String(first);
      }),
    );
    expect(greetings).toEqual(['RFB 003.008\n', 'RFB 003.008\n']);
    await expect.poll(async () => (await desk.exec(['pgrep', '-c', 'x11vnc'])).stdout).toBe('0\n');
    await expect(desks[name].view('no-such-desk', { control: false })).rejects.toMatchObject({ code: 'sandbox.lost' });
  });

  it('presses keys of every dialect, and refuses unknown ones by name', async () => {
    await desk.launch(['xev', '-geometry', '400x300+10+10']);
    await desk.waitForWindow({ title: 'Event Tester' });
    await desk.key('ctrl+shift+KeyA');
    await desk.key('pgdn');
    await expect(desk.key('ctrl+Bogus')).rejects.toMatchObject({
      code: 'sandbox.refused',
      message: expect.stringContaining('Bogus'),
    });
  });

  it('takes screenshots in both formats, of regions and scaled, whose points it finds again', async () => {
    const whole = await desk.screenshot();
    expect([whole.width, whole.height, ...whole.bytes.subarray(1, 4)]).toEqual([1024, 768, 0x50, 0x4e, 0x47]);
    const part = await desk.screenshot({
      format: 'jpeg',
      region: { x: 100, y: 50, width: 400, height: 200 },
      size: { width: 200, height: 100 },
    });
    expect([part.width, part.height, part.bytes[0], part.bytes[1]]).toEqual([200, 100, 0xff, 0xd8]);
    await desk.move({ x: 10, y: 10 }, { on: part });
    expect((await desk.exec(['xdotool', 'getmouselocation'])).stdout).toContain('x:121 y:71');
    await expect(desk.click({ x: 1024, y: 0 })).rejects.toMatchObject({ code: 'sandbox.refused' });
    await expect(desk.screenshot({ region: { x: 1000, y: 0, width: 100, height: 10 } })).rejects.toMatchObject({
      code: 'sandbox.refused',
    });
  });

  it('opens Calc, types any text into a cell, saves, and reads its tree', async () => {
    const text = 'Zoë «y» 3€ Ünïcode 漢字 עברית 🙂 @{}';
    await desk.putFile('t.csv', Buffer.from('a,b\n1,2\n'));
    expect(await desk.exec(['soffice', '--headless', '--convert-to', 'xlsx', 't.csv'])).toMatchObject({ exitCode: 0 });
    await desk.launch(['soffice', '--calc', '--norestore', 't.xlsx']);
    const window = await desk.waitForWindow({ title: 't.xlsx' }, { timeoutMs: 60_000 });
    await desk.waitForStill({ quietMs: 1_000, timeoutMs: 60_000 });
    const strings = [
      'python3',
      '-c',
      "import zipfile; print(zipfile.ZipFile('t.xlsx').read('xl/sharedStrings.xml').decode())",
    ];
    // On a machine that is busy the window may be there before it takes keys: what a person would do again is done again.
    await expect
      .poll(
        async () => {
          await desk.focus(window.id);
          await desk.key('ctrl+Home');
          await desk.type(`${text}\n`);
          await desk.waitForStill({ quietMs: 300 });
          await desk.key('ctrl+s');
          await desk.waitForStill({ quietMs: 1_000, timeoutMs: 30_000 });
          // Calc splits a text by fonts.
          return (await desk.exec(strings)).stdout.replace(/<(?!\/?si>)[^>]*>/g, '');
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toContain(`<si>${text}</si>`);
    const tree = await desk.accessibilityTree({ application: 'soffice', timeoutMs: 60_000 });
    expect(tree.nodes.some(({ role, box }) => role === 'menu bar' && box !== null)).toBe(true);
    expect(await desk.windows()).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: window.id, active: true })]),
    );
  });

  it('can be left and taken hold of again, as after the death of a worker', async () => {
    const first = await desks[name].start({ ...small, lease: 'left' });
    await first.shell('KEPT=yes');
    first.detach();
    await expect(first.windows()).rejects.toMatchObject({ code: 'sandbox.lost' });
    expect((await desks[name].list()).find(({ id }) => id === first.id)).toMatchObject({
      lease: 'left',
      state: 'running',
    });
    expect(await desks[name].sweep()).toEqual([]);
    const second = await desks[name].attach(first.id);
    expect((await second.shell('echo $KEPT')).stdout).toBe('yes\n');
    await second.close();
    await expect(desks[name].attach(first.id)).rejects.toMatchObject({ code: 'sandbox.lost' });
  });

  it('forks from a snapshot, starts with another clock, language and zone, and resets to an untouched one', async () => {
    await desk.putFile('kept.txt', Buffer.from('kept'));
    const { id } = await desk.snapshot();
    const fork = await desks[name].start({
      ...small,
      snapshot: id,
      clock: '2031-05-06T07:08:09',
      timezone: 'Asia/Tokyo',
      locale: 'de_DE.UTF-8',
    });
    expect(Buffer.from(await fork.getFile('kept.txt')).toString()).toBe('kept');
    expect(
      (
        await fork.shell(
          'date +%F; echo $TZ $LANG; python3 -c "import locale; locale.setlocale(locale.LC_ALL, \'\'); print(locale.str(1.5))"',
        )
      ).stdout,
    ).toBe('2031-05-06\nAsia/Tokyo de_DE.UTF-8\n1,5\n');
    const pool = new WarmPool(desks[name], { size: 0, options: small });
    const fresh = await pool.reset(fork);
    expect(fresh.id).not.toBe(fork.id);
    expect((await fresh.listFolder(fresh.home)).map((entry) => entry.name)).not.toContain('kept.txt');
    await fresh.close();
    await pool.close();
  });

  describe('holds', () => {
    it.each(escapeProbes.map((probe) => [probe.name, probe] as const))('%s', async (_name, probe) => {
      await probe.run(desk, desks[name], small);
    });
  });
});

it('reaches the desktops of a daemon on another machine, whose sockets it cannot see', async () => {
  const proxy = createServer((client) => {
    const daemon = connect('/var/run/docker.sock');
    client.pipe(daemon).on('error', () => client.destroy());
    daemon.pipe(client).on('error', () => daemon.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const remote = dockerProvider({ ...desks.settings, hosts: [{ url: `tcp://127.0.0.1:${address.port}`, limit: 8 }] });
  const first = await remote.start(small);
  try {
    await first.shell('KEPT=yes');
    expect((await first.screenshot()).width).toBe(1024);
    first.detach();
    const second = await remote.attach(first.id);
    expect((await second.shell('echo $KEPT')).stdout).toBe('yes\n');
    await second.close();
  } finally {
    await first.close();
    proxy.close();
  }
});

it('ends what is too old, and keeps what is held', async () => {
  const { docker } = desks;
  const old = await docker.start(small);
  expect(await docker.sweep({ maxAgeMs: 3_600_000 })).toEqual([]);
  expect(await docker.sweep({ maxAgeMs: -1 })).toContain(old.id);
  await expect
    .poll(() =>
      old.windows().then(
        () => 'there',
        (error: { code: string }) => error.code,
      ),
    )
    .toBe('sandbox.lost');
  expect((await docker.list()).map(({ id }) => id)).not.toContain(old.id);
});

it.each(['docker', 'bubblewrap'] as const)('ends at once what a dead process kept ready, with %s', async (name) => {
  const provider = desks[name];
  const [unused, used] = [
    await provider.start({ ...small, lease: keptReady }),
    await provider.start({ ...small, lease: 'run 1' }),
  ];
  for (const { id } of [unused, used]) {
    const file = join(desks.settings.runtime, id, 'holder.json');
    await expect.poll(() => readFile(file, 'utf8').catch(() => null)).not.toBeNull();
    // As if the one that began at another time, under the same number, had been the holder.
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), start: '1' }));
  }
  expect(await provider.sweep()).toEqual([unused.id]);
  expect(await used.windows()).toEqual([]);
  await used.close();
});
