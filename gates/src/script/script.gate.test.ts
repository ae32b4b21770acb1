import { renderSetupScript } from '@cua-forge/nodes/setup/setup-script';
import { exampleAnswers, exampleSpecification } from '@cua-forge/nodes/spec/example-specification';
import { Verdict } from '@cua-forge/spec/kind';
import { HiddenAnswers, type SetupOperation, TaskSpecification } from '@cua-forge/spec/task';
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
