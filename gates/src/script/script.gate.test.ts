import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import { exampleAnswers, exampleSpecification } from '@cua-forge/nodes/spec/example-specification';
import { Verdict } from '@cua-forge/spec/kind';
import { HiddenAnswers, SetupOperation, TaskSpecification } from '@cua-forge/spec/task';
import { testContext } from '@cua-forge/testing/execute-context';
import { describe, expect, it } from 'vitest';
import { script as gate } from './script.gate.ts';
import { parseShell } from './shell-words.ts';

const spec = TaskSpecification.parse(exampleSpecification);
const { answers, ...rest } = HiddenAnswers.parse(exampleAnswers);
const hidden = { ...rest, answers: [...answers, { label: 'a count', value: 644 }] };
const path = '/home/user/Documents/orders.xlsx';
const file = { name: 'orders.xlsx', mediaType: 'x/y', hash: 'a'.repeat(64), size: 9 };
const place: SetupOperation = { op: 'place-file', file, path, mode: '0644' };
const open: SetupOperation = { op: 'open', application: 'libreoffice-calc', path };
const run = (...command: string[]): SetupOperation => ({ op: 'run', command, why: 'needed' });

async function judge(operations: SetupOperation[], change: (script: string) => string = (script) => script) {
  const script = { script: change(renderSetupScript(operations)), operations };
  const result = await gate.execute({
    params: {},
    inputs: { script, spec, hidden },
    extra: {},
    context: testContext(),
  });
  const verdict = Verdict.parse(result.verdict);
  const failed = verdict.evidence.filter(({ ok }) => !ok).map(({ check, detail }) => `${check}: ${detail}`);
  return { verdict: verdict.verdict, failed, passedOn: result.script !== undefined };
}

describe('gate.script', () => {
  it.each([
    ['the plain setup, though a mode has the digits of an answer', [place, open]],
    [
      'commands before and after',
      [run('mkdir', '-p', "/home/user/It's here"), place, run('touch', '/tmp/ready'), open],
    ],
  ])('passes %s', async (_name, operations) => {
    expect(await judge(operations)).toEqual({ verdict: 'pass', failed: [], passedOn: true });
  });

  it.each<[string, SetupOperation[], ((script: string) => string) | undefined, RegExp]>([
    [
      'an operation left out of the script',
      [place, open],
      (text) => text.replace(/^launch .*$/m, ''),
      /operation 2 .* not in the script/,
    ],
    ['an operation of another path', [place, open], (text) => text.replaceAll('0644', '0600'), /operation 1/],
    [
      'a step that is no operation',
      [place, open],
      (text) => `${text}place 'x' '/home/user/extra' 0644\n`,
      /none of the operations/,
    ],
    ['a required file that is not placed', [run('true')], undefined, /not placed at/],
    [
      'a file that is not specified',
      [place, open, { ...place, path: '/home/user/key.xlsx' }],
      undefined,
      /not specified/,
    ],
    ['opening before placing', [open, place], undefined, /before it is placed/],
    ['a precondition that nothing covers', [place], undefined, /libreoffice-calc is not opened/],
    ['a path outside', [place, open, run('touch', '/etc/passwd')], undefined, /\/etc\/passwd is outside/],
    ['a path that climbs out', [place, open, run('cp', '/home/user/../../etc/shadow', '/tmp/x')], undefined, /outside/],
    ['a download', [place, open, run('curl', 'http://example.org')], undefined, /runs curl/],
    ['a shell', [place, open, run('env', 'bash', '-c', 'ls')], undefined, /runs bash/],
    ['an answer', [place, open, run('notify-send', 'It is 1,234.50')], undefined, /the answer total of January/],
    ['an open quote', [place, open], (text) => `${text}echo 'oops\n`, /quote ' is not closed/],
    ['an open block', [place, open], (text) => `${text}if true; then\n echo x\n`, /no fi/],
    ['a script that goes on after errors', [place, open], (text) => text.replace('set -euo pipefail', ''), /pipefail/],
    ['another interpreter', [place, open], (text) => text.replace('bash', 'python3'), /first line/],
  ])('rejects %s', async (_name, operations, change, message) => {
    const { verdict, failed, passedOn } = await judge(operations, change);
    expect({ verdict, passedOn }).toEqual({ verdict: 'reject', passedOn: false });
    expect(failed.join('\n')).toMatch(message);
  });
});

describe('parseShell', () => {
  it('reads words as the shell does', () => {
    const { commands, problems } = parseShell(
      `a 'b c'"d"\\ e # no\nif x; then y 'it'\\''s'; fi\nz "$(dirname -- "$1")" >&2 &`,
    );
    expect(problems).toEqual([]);
    expect(commands).toEqual([
      { words: ['a', 'b cd e'], line: 1 },
      { words: ['x'], line: 2 },
      { words: ['y', "it's"], line: 2 },
      { words: ['z', '$(dirname -- "$1")', '>&2'], line: 3 },
    ]);
  });
});

describe('operations of the session', () => {
  const env: SetupOperation = { op: 'env', name: 'EDITOR', value: '/usr/bin/nano' };
  const wait: SetupOperation = { op: 'wait-window', window: { by: 'title', text: 'orders.xlsx' }, timeoutSeconds: 30 };
  const maximise: SetupOperation = {
    op: 'window',
    window: { by: 'title', text: "it's here" },
    action: 'maximise',
    timeoutSeconds: 30,
  };
  const desktop = (settings: object): SetupOperation => SetupOperation.parse({ op: 'desktop', settings });
  const good = desktop({ timeZone: 'Europe/Berlin', theme: 'Adwaita', fontScale: 1.2, wallpaper: '/home/user/a.png' });
  const all = [env, good, place, open, wait, maximise];

  it('pass when they are in the script, in order, and proper', async () => {
    expect(await judge(all)).toEqual({ verdict: 'pass', failed: [], passedOn: true });
  });

  it.each<[string, SetupOperation[], ((script: string) => string) | undefined, RegExp]>([
    ['a variable left out', all, (text) => text.replace(/^set_env EDITOR.*$/m, ''), /operation 1 \(set_env EDITOR/],
    ['another value', all, (text) => text.replace(/^set_env EDITOR.*$/m, 'set_env EDITOR vi'), /operation 1/],
    [
      'one setting of several left out',
      all,
      (text) => text.replace(/^desktop theme.*$/m, ''),
      /operation 2 .* not in the script/,
    ],
    [
      'a variable that is no operation',
      all,
      (text) => `${text}set_env LD_PRELOAD /tmp/x.so\n`,
      /set_env LD_PRELOAD .* none of the operations/,
    ],
    [
      'one hidden among the functions',
      all,
      (text) => text.replace('\nset_env() {', '\nset_env LD_PRELOAD /tmp/x.so\nset_env() {'),
      /none of the operations/,
    ],
    [
      'a window state that is no operation',
      all,
      (text) => `${text}window_state title x 5 minimise\n`,
      /none of the operations/,
    ],
    [
      'waiting in another order',
      [place, wait, open],
      (text) =>
        text
          .replace(/^(launch .*)\n(wait_window .*)$/m, '$2\n$1')
          .replace(/^(wait_window .*)\n(launch .*)$/m, '$2\n$1'),
      /not in its turn/,
    ],
    [
      'a variable that decides which programs run',
      [{ op: 'env', name: 'LD_PRELOAD', value: '/tmp/x.so' }, place, open],
      undefined,
      /operation 1 \(env\) is not what it may be/,
    ],
    [
      'a wallpaper from elsewhere',
      [desktop({ wallpaper: '/etc/a.png' }), place, open],
      undefined,
      /\/etc\/a\.png is outside/,
    ],
    [
      'an answer in a window title',
      [place, open, { op: 'wait-window', window: { by: 'title', text: '1,234.50' }, timeoutSeconds: 5 }],
      undefined,
      /the answer total of January/,
    ],
  ])('are rejected with %s', async (_name, operations, change, message) => {
    const { verdict, failed } = await judge(operations, change);
    expect(verdict).toBe('reject');
    expect(failed.join('\n')).toMatch(message);
  });
});
