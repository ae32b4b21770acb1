import { createHash } from 'node:crypto';
import { ForgeError } from '@cua-forge/spec/errors';
import type { AgentHello, ScreenFrame, ScreenPoint } from '@cua-forge/spec/sandbox-messages';
import {
  type CommandOptions,
  onScreen,
  type PointerOptions,
  type Sandbox,
  type SandboxInfo,
  type SandboxOptions,
  type SandboxSnapshot,
} from '@cua-forge/spec/sandbox-port';
import type { AgentClient, CallOptions } from './agent-client.ts';
import { keysymName, parseKeys } from './key-names.ts';

const chunkBytes = 256 * 1024;
/** Milliseconds that an operation with a limit of its own may take beyond it before the sandbox counts as lost. */
const graceMs = 15_000;

export interface SandboxParts {
  info: SandboxInfo;
  options: SandboxOptions;
  client: AgentClient;
  hello: AgentHello;
  /** Keeps an archive of the home folder. */
  keep(archive: Uint8Array): Promise<SandboxSnapshot>;
  end(): Promise<void>;
}

const inPixels = (point: ScreenPoint, on: ScreenFrame | undefined): ScreenPoint =>
  on === undefined ? { x: point.x, y: point.y } : onScreen(on, point);
const pointer = ({ button, modifiers }: PointerOptions) => ({
  ...(button === undefined ? {} : { button }),
  modifiers: (modifiers ?? []).map(keysymName),
});

/** A sandbox on an agent, wherever it runs. */
export function createSandbox({ info, options, client, hello, keep, end }: SandboxParts): Sandbox {
  const run = (operation: 'exec' | 'shell', args: object, given: CommandOptions) => {
    const { timeoutMs = 60_000, maxBytes, onOutput, signal } = given;
    const call: CallOptions = { signal, withinMs: timeoutMs + graceMs };
    if (onOutput) call.onStream = (stream, text) => (stream === 'data' ? undefined : onOutput(stream, text));
    return client.call(
      operation,
      { ...args, timeoutMs, stream: onOutput !== undefined, ...(maxBytes === undefined ? {} : { maxBytes }) },
      call,
    );
  };

  async function putFile(path: string, bytes: Uint8Array, { mode = 0o644 }: { mode?: number } = {}): Promise<void> {
    const { handle } = await client.call('putBegin', { path, size: bytes.length, mode });
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      const data = Buffer.from(bytes.subarray(at, at + chunkBytes)).toString('base64');
      await client.call('putChunk', { handle, data });
    }
    await client.call('putEnd', { handle, sha256: createHash('sha256').update(bytes).digest('hex') });
  }

  async function getFile(path: string, { maxBytes = 64 * 1024 * 1024 }: { maxBytes?: number } = {}) {
    const parts: Buffer[] = [];
    let size = 0;
    let excess = false;
    const done = await client.call(
      'get',
      { path, maxBytes },
      {
        withinMs: 600_000,
        onStream: (_stream, data) => {
          const part = Buffer.from(data, 'base64');
          size += part.length;
          // The bound holds here too: what runs inside may be anything.
          if (size > maxBytes) excess = true;
          else parts.push(part);
        },
      },
    );
    const bytes = Buffer.concat(parts);
    if (excess || done.size !== bytes.length || done.sha256 !== createHash('sha256').update(bytes).digest('hex'))
      throw new ForgeError('sandbox.failed', `'${path}' did not arrive whole.`, { fix: 'Read it again.' });
    return new Uint8Array(bytes);
  }

  let ended: Promise<void> | undefined;
  return {
    id: info.id,
    info,
    options,
    screen: { width: hello.width, height: hello.height },
    home: hello.home,
    exec: (command, { cwd, env, stdin, ...given } = {}) =>
      run(
        'exec',
        {
          command,
          ...(cwd === undefined ? {} : { cwd }),
          ...(env === undefined ? {} : { env }),
          ...(stdin === undefined ? {} : { stdin }),
        },
        given,
      ),
    shell: (command, { name = 'main', ...given } = {}) => run('shell', { command, name }, given),
    launch: (command, { cwd, env } = {}) =>
      client.call('launch', {
        command,
        ...(cwd === undefined ? {} : { cwd }),
        ...(env === undefined ? {} : { env }),
      }),
    move: async (point, { on } = {}) => void (await client.call('move', inPixels(point, on))),
    click: async (point, { count = 1, ...given } = {}) =>
      void (await client.call('click', { ...inPixels(point, given.on), count, ...pointer(given) })),
    drag: async (path, { durationMs, ...given } = {}) =>
      void (await client.call('drag', {
        path: path.map((point) => inPixels(point, given.on)),
        ...(durationMs === undefined ? {} : { durationMs }),
        ...pointer(given),
      })),
    scroll: async (point, direction, { clicks = 3, ...given } = {}) =>
      void (await client.call('scroll', { ...inPixels(point, given.on), direction, clicks, ...pointer(given) })),
    type: async (text, { delayMs, signal } = {}) =>
      void (await client.call(
        'type',
        { text, ...(delayMs === undefined ? {} : { delayMs }) },
        { signal, withinMs: text.length * ((delayMs ?? 2) + 10) + graceMs },
      )),
    key: async (combination, { count = 1, action = 'press' } = {}) =>
      void (await client.call('key', { keys: parseKeys(combination), count, action })),
    screenshot: async ({ format = 'png', ...given } = {}) => {
      const { data, ...frame } = await client.call('screenshot', { format, ...given });
      return {
        ...frame,
        mediaType: format === 'png' ? 'image/png' : 'image/jpeg',
        bytes: new Uint8Array(Buffer.from(data, 'base64')),
      };
    },
    windows: async () => (await client.call('windows', {})).windows,
    focus: async (window) => void (await client.call('focus', { id: window })),
    waitForWindow: async (wanted, { timeoutMs = 30_000, signal } = {}) =>
      (await client.call('waitForWindow', { ...wanted, timeoutMs }, { signal, withinMs: timeoutMs + graceMs })).window,
    waitForStill: async ({ timeoutMs = 10_000, signal, ...given } = {}) =>
      (await client.call('waitForStill', { ...given, timeoutMs }, { signal, withinMs: timeoutMs + graceMs })).afterMs,
    accessibilityTree: ({ timeoutMs = 15_000, ...given } = {}) =>
      client.call('accessibility', { ...given, timeoutMs }, { withinMs: timeoutMs + graceMs }),
    putFile,
    getFile,
    listFolder: async (path) => (await client.call('list', { path })).entries,
    snapshot: async () => {
      const { path, size } = await client.call('archiveHome', {}, { withinMs: 600_000 });
      try {
        return await keep(await getFile(path, { maxBytes: size }));
      } finally {
        await client.call('exec', { command: ['rm', '-f', path], timeoutMs: 10_000 }).catch(() => undefined);
      }
    },
    detach: () => client.close(),
    close: () => {
      ended ??= (async () => {
        client.close();
        await end();
      })();
      return ended;
    },
  };
}

/** Gives a fresh sandbox the home folder of a snapshot. */
export async function restoreHome(sandbox: Sandbox, client: AgentClient, archive: Uint8Array): Promise<void> {
  const path = '/tmp/home-restored.tar.gz';
  await sandbox.putFile(path, archive);
  await client.call('restoreHome', { path }, { withinMs: 600_000 });
}
