import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { loadSandboxSettings } from '@cua-forge/sandbox/settings';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { SandboxInfo, SandboxTarget } from '@cua-forge/spec/sandbox-port';
import { osworldCommand } from './osworld-program.ts';
import {
  buildCommand,
  listCommand,
  replayCommand,
  type SandboxProgram,
  shellCommand,
  sweepCommand,
} from './sandbox-program.ts';

const root = join(import.meta.dirname, '../../../..');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    target: { type: 'string', default: 'minimal' },
    provider: { type: 'string', default: 'docker' },
    id: { type: 'string' },
    screenshot: { type: 'string' },
    'max-age-hours': { type: 'string', default: '24' },
    ids: { type: 'string', default: '' },
    solutions: { type: 'string' },
  },
});

let shown = 0;
const terminal = process.stderr.isTTY;
const program: SandboxProgram = {
  settings: loadSandboxSettings(process.env, root),
  base: process.env.FORGE_SANDBOX_BASE,
  mirror: process.env.FORGE_DEBIAN_MIRROR ?? 'http://deb.debian.org',
  json: values.json,
  write: (text) => process.stdout.write(text),
  report: {
    line: (text) => process.stderr.write(`${terminal ? '\r\u001b[K' : ''}${text}\n`),
    update(text) {
      if (terminal) process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`);
      else if (Date.now() - shown > 5_000) {
        shown = Date.now();
        process.stderr.write(`${text}\n`);
      }
    },
  },
};

try {
  const target = SandboxTarget.parse(values.target);
  const provider = SandboxInfo.shape.provider.parse(values.provider);
  const [command, id] = positionals;
  if (command === 'build') await buildCommand(program, target, provider);
  else if (command === 'list') await listCommand(program);
  else if (command === 'sweep') await sweepCommand(program, Number(values['max-age-hours']) * 3_600_000);
  else if (command === 'replay')
    await replayCommand(program, {
      provider,
      target,
      file: id ?? '',
      id: values.id,
      screenshot: values.screenshot,
    });
  else if (command === 'osworld') {
    const stop = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
    process.exitCode = await osworldCommand(program, {
      source: id ?? '',
      ids: values.ids.split(',').filter((one) => one !== ''),
      solutions: values.solutions,
      provider,
      soffice: process.env.FORGE_SOFFICE ?? 'soffice',
      signal: stop.signal,
    });
  } else if (command === 'shell')
    process.exitCode = await shellCommand(program, {
      provider,
      target,
      id,
      lines: () => createInterface({ input: process.stdin }),
      prompt: (text) => {
        if (process.stdin.isTTY) process.stderr.write(text);
      },
    });
  else
    throw new ForgeError('input.invalid', `There is no 'sandbox ${command ?? ''}'.`, {
      fix: 'build, list, sweep, replay, shell, osworld',
    });
} catch (thrown) {
  const error = toForgeError(thrown);
  if (values.json) process.stdout.write(`${JSON.stringify({ error: error.toFailure() })}\n`);
  else program.report.line(`${error.message}${error.fix === undefined ? '' : `\n${error.fix}`}`);
  process.exitCode = error.fault === 'user' && error.code !== 'tool.missing' ? 2 : 1;
}
