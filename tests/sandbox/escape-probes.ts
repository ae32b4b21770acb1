import { gzipSync } from 'node:zlib';
import type { Sandbox, SandboxOptions, SandboxProvider } from '@cua-forge/spec/sandbox-port';
import { pack } from 'tar-stream';
import { expect } from 'vitest';

/** A way out, or a way to do harm, that a program inside tries. */
export interface EscapeProbe {
  name: string;
  /** Destructive ones make a desktop of their own. */
  run(desk: Sandbox, provider: SandboxProvider, options: Partial<SandboxOptions>): Promise<void>;
}

/** The command must fail, and say why in these words. */
const refused = (name: string, command: string, words: RegExp): EscapeProbe => ({
  name,
  async run(desk) {
    const { exitCode, stdout, stderr } = await desk.shell(command, { timeoutMs: 20_000, name: 'probe' });
    expect(`${stdout}${stderr}`).toMatch(words);
    expect(exitCode).not.toBe(0);
  },
});

/** A Python expression's value, as text. */
const python = (name: string, code: string, answer: RegExp): EscapeProbe => ({
  name,
  async run(desk) {
    expect((await desk.exec(['python3', '-c', code], { timeoutMs: 20_000 })).stdout).toMatch(answer);
  },
});

const own = (
  name: string,
  work: (desk: Sandbox, provider: SandboxProvider, options: Partial<SandboxOptions>) => Promise<void>,
): EscapeProbe => ({
  name,
  async run(_desk, provider, options) {
    const desk = await provider.start(options);
    try {
      await work(desk, provider, options);
    } finally {
      await desk.close();
    }
  },
});

const attempt = (statement: string): string =>
  `import os, socket, ctypes\ntry:\n  ${statement}\n  print('DONE')\nexcept OSError as e:\n  print('refused', e.errno)`;

const home = (members: { name: string; linkname?: string }[]): Promise<Uint8Array> =>
  new Promise((resolve) => {
    const archive = pack();
    for (const { name, linkname } of members)
      if (linkname === undefined) archive.entry({ name }, 'escaped');
      else archive.entry({ name, type: 'symlink', linkname });
    archive.finalize();
    const parts: Uint8Array[] = [];
    archive.on('data', (data: Uint8Array) => parts.push(data));
    archive.on('end', () => resolve(gzipSync(Buffer.concat(parts))));
  });

/** Unpacks as the agent does for a fork; the agent listens inside as well, to the same user. */
const restore = (desk: Sandbox) =>
  desk.exec([
    'python3',
    '-c',
    "import sys; sys.path.insert(0, '/opt/desktop/agent')\nfrom files import Files\nfrom types import SimpleNamespace as N\nfrom protocol import Refusal\ntry:\n  print(Files(N(home='/home/user')).restore({'path': '/tmp/evil.tar.gz'}, N(check=lambda: None)))\nexcept Refusal as r:\n  print('REFUSED', r.message)",
  ]);
const evilArchive = (name: string, members: { name: string; linkname?: string }[]): EscapeProbe => ({
  name,
  async run(desk) {
    await desk.putFile('/tmp/evil.tar.gz', await home(members));
    expect((await restore(desk)).stdout).toMatch(/^REFUSED/);
    expect((await desk.exec(['ls', '/tmp'])).stdout).not.toContain('evil.txt');
  },
});

export const escapeProbes: EscapeProbe[] = [
  python(
    'no interface but the loopback',
    "import os; print(sorted(os.listdir('/sys/class/net')) if os.path.isdir('/sys/class/net') else [l.split(':')[0].strip() for l in open('/proc/net/dev').readlines()[2:]])",
    /^\['lo'\]/,
  ),
  python('no way to another machine', attempt("socket.create_connection(('192.0.2.1', 80), 3)"), /^refused/),
  python('no names of other machines', attempt("socket.getaddrinfo('example.com', 80)"), /^refused/),
  refused('no socket of Docker', 'ls -l /var/run/docker.sock /run/docker.sock', /No such file/),
  refused('no file of the host', 'ls /work /host /mnt/*', /No such file/),
  refused(
    'no root that can be written',
    'touch /usr/bin/x /etc/x /opt/desktop/agent/agent.py',
    /Read-only file system|Permission denied/,
  ),
  refused('no change of the agent', 'echo x >>/opt/desktop/agent/agent.py', /Read-only file system|Permission denied/),
  refused('no place where the socket lies', 'head -c 1000 /dev/zero >/sock/filled', /Permission denied/),
  refused('no disk of the host', 'cat /dev/sda /dev/vda /dev/nvme0n1 /dev/mem', /No such file|Permission denied/),
  refused('no new device', 'mknod /tmp/disk b 254 0', /Operation not permitted/),
  refused('no mount', 'mount -t tmpfs none /mnt', /must be superuser|permission denied|Operation not permitted/i),
  refused('no user namespace', 'unshare --user --map-root-user id', /Operation not permitted|No space left|failed/),
  refused(
    'no change of the kernel',
    'echo x >/proc/sys/kernel/core_pattern',
    /Read-only file system|Permission denied|Operation not permitted/,
  ),
  python(
    'no program with more rights than its caller',
    "import subprocess; print(repr(subprocess.run('find / -xdev -perm /6000 -type f 2>/dev/null', shell=True, capture_output=True, text=True).stdout))",
    /^''/,
  ),
  python(
    'no rights at all, and none to gain',
    "print([l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapBnd', 'NoNewPrivs'))])",
    /^\['0000000000000000', '0000000000000000', '1'\]/,
  ),
  python(
    'no process of the host',
    "import os; print(max(int(p) for p in os.listdir('/proc') if p.isdigit()) < 30000 and not any('dock' + 'erd' in open(f'/proc/{p}/cmdline').read() for p in os.listdir('/proc') if p.isdigit()))",
    /^True/,
  ),
  python(
    'no look into the first process',
    attempt("print(os.readlink('/proc/1/root'), end=''); os.listdir('/proc/1/root/work')"),
    /refused/,
  ),
  python(
    'no hold of this very process through ptrace',
    `import ctypes; print('traced' if ctypes.CDLL(None).ptrace(16, ${process.pid}, 0, 0) == 0 else 'refused')`,
    /^refused/,
  ),
  python('no clock of the host', attempt('__import__("time").clock_settime(0, 0)'), /refused|^$/),
  python('no name of the host', attempt("socket.sethostname('owned')"), /^refused/),
  {
    name: 'no file through a link that is read back',
    async run(desk) {
      await desk.shell(
        'ln -sf /etc/passwd /home/user/link; ln -sfn /etc /home/user/folder; mkfifo -m 600 /home/user/pipe',
      );
      for (const path of ['link', 'folder/passwd', 'pipe'])
        await expect(desk.getFile(path)).rejects.toMatchObject({ code: 'sandbox.refused' });
      await expect(desk.putFile('folder/x', Buffer.from('x'))).rejects.toMatchObject({ code: 'sandbox.refused' });
    },
  },
  evilArchive('no way out of an archive by ..', [{ name: '../../tmp/evil.txt' }]),
  evilArchive('no way out of an archive by a full path', [{ name: '/tmp/evil.txt' }]),
  evilArchive('no way out of an archive through its own link', [
    { name: 'out', linkname: '/tmp' },
    { name: 'out/evil.txt' },
  ]),
  {
    name: 'no flood of output',
    async run(desk) {
      const { stdout, droppedBytes } = await desk.exec(['sh', '-c', 'head -c 50000000 /dev/zero'], {
        maxBytes: 10_000,
      });
      expect([stdout.length, droppedBytes]).toEqual([10_000, 49_990_000]);
    },
  },
  own('no disk beyond its own', async (desk) => {
    const { stderr } = await desk.shell('head -c 400m /dev/zero >/home/user/big; head -c 400m /dev/zero >/tmp/big', {
      timeoutMs: 60_000,
    });
    expect(stderr).toMatch(/No space left on device[\s\S]*No space left on device/);
    await desk.shell('rm -f /home/user/big /tmp/big');
    await desk.putFile('after.txt', Buffer.from('room again'));
  }),
  own('no end of processes', async (desk, provider, options) => {
    await desk.shell(':(){ :|:& };:', { timeoutMs: 3_000 }).catch(() => undefined);
    // The others do not notice.
    const other = await provider.start(options);
    expect((await other.exec(['echo', 'well'])).stdout).toBe('well\n');
    await other.close();
  }),
  own('no end of memory', async (desk) => {
    const { exitCode, stdout } = await desk.exec(
      ['python3', '-c', "x = []\nfor _ in range(400): x.append(b'x' * 10_000_000)\nprint('DONE')"],
      { timeoutMs: 60_000 },
    );
    expect(exitCode).not.toBe(0);
    expect(stdout).not.toContain('DONE');
  }),
  own('no silence when the display is killed', async (desk) => {
    await desk.exec(['pkill', '-9', 'Xvfb']);
    await expect
      .poll(() =>
        desk.screenshot().then(
          () => 'shown',
          (error: { code: string }) => error.code,
        ),
      )
      .toBe('sandbox.lost');
  }),
  own('no silence when the agent is killed', async (desk) => {
    await expect(desk.exec(['pkill', '-9', '-f', 'agent.py'])).rejects.toMatchObject({ code: 'sandbox.lost' });
    await expect(desk.screenshot()).rejects.toMatchObject({ code: 'sandbox.lost' });
  }),
];
