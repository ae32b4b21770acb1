import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import { script } from '@cua-forge/gates/script/script.gate';
import type { SetupOperation, SetupScript } from '@cua-forge/spec/task';
import { type Base, basePackages } from '../bases.ts';
import { at, bad, changed, type GateCorpus, good } from '../example.ts';

const check = {
  parses: 'the script parses and stops at errors',
  all: 'every operation is in the script, in order',
  more: 'the script does nothing that is no operation',
  placed: 'every required file is placed',
  order: 'files are placed before they are opened',
  preconditions: 'every precondition is brought about',
  folders: 'only folders of the user are touched',
  programs: 'no shell, network or system program is run',
  answers: 'the script holds no answers',
};
const run = (...command: string[]): SetupOperation => ({ op: 'run', command, why: 'needed' });
const of = (operations: SetupOperation[]): SetupScript => ({ script: renderSetupScript(operations), operations });

const fine: SetupOperation[][] = [
  [run('mkdir', '-p', '/home/user/Documents')],
  [run('touch', "/tmp/It's ready")],
  [run('mkdir', '-p', '/home/user/a b/c')],
  [run('rm', '-f', '/home/user/Documents/old.bak')],
  [run('cp', '/home/user/Documents/a.txt', '/tmp/b.txt')],
  [run('ln', '-s', '/home/user/Documents', '/home/user/Desktop/docs')],
  [run('chmod', '0755', '/home/user/Documents')],
  [run('true'), run('mkdir', '-p', '/tmp/x')],
];
const programs = [
  ['sudo', 'true'],
  ['curl', 'http://example.org/a'],
  ['wget', 'x'],
  ['/usr/bin/ssh', 'host'],
  ['env', 'bash', '-c', 'ls'],
  ['dd', 'if=/home/user/a'],
];
const outside = ['/etc/passwd', '/usr/local/bin/tool', '/root/.profile', '/home/user/../../etc/shadow'];

export const scriptCorpus: GateCorpus = {
  gate: script,
  async examples() {
    const bases = await basePackages();
    const opened = bases.filter(({ script: { operations } }) => operations.some(({ op }) => op === 'open'));
    const show = (base: Base, setup: SetupScript = base.script) => ({
      inputs: { script: setup, spec: base.spec, hidden: base.hidden },
    });
    const with_ = (base: Base, change: (operations: SetupOperation[]) => SetupOperation[]) =>
      show(base, of(change(structuredClone(base.script.operations))));
    const text = (base: Base, change: (script: string) => string) =>
      show(base, { ...base.script, script: change(base.script.script) });
    const lastLine = (script: string) => script.trimEnd().split('\n').at(-1) ?? '';
    return [
      ...bases.map((base) => good(base.name, show(base))),
      ...fine.map((more, i) =>
        good(
          `with ${more.length} more`,
          with_(at(bases, i * 2), (operations) => [...more, ...operations]),
        ),
      ),
      ...bases
        .slice(0, 6)
        .map((base) => good(`${base.name}, no answers`, { inputs: { script: base.script, spec: base.spec } })),
      ...[0, 3, 9].map((i) =>
        bad(
          'an operation left out',
          check.all,
          at(bases, i).name,
          text(at(bases, i), (script) => script.replace(`${lastLine(script)}\n`, '')),
        ),
      ),
      ...[1, 7].map((i) =>
        bad(
          'another mode',
          check.all,
          at(bases, i).name,
          text(at(bases, i), (script) => script.replace(/ 0644$/m, ' 0600')),
        ),
      ),
      bad(
        'another order',
        check.all,
        'opened first in the script',
        show(at(opened, 0), {
          operations: at(opened, 0).script.operations,
          script: of([...at(opened, 0).script.operations].reverse()).script,
        }),
      ),
      ...[2, 5, 8].map((i) =>
        bad(
          'a step of its own',
          check.more,
          at(bases, i).name,
          text(at(bases, i), (script) => `${script}place 'key.xlsx' '/home/user/key.xlsx' 0644\n`),
        ),
      ),
      ...[0, 4, 12].map((i) =>
        bad(
          'a file that is not placed',
          check.placed,
          at(bases, i).name,
          with_(at(bases, i), (operations) => [...operations.filter(({ op }) => op !== 'place-file'), run('true')]),
        ),
      ),
      ...[3, 10].map((i) =>
        bad(
          'a file that is not specified',
          check.placed,
          at(bases, i).name,
          with_(at(bases, i), (operations) => {
            const place = operations.find((one) => one.op === 'place-file');
            return place?.op === 'place-file'
              ? [...operations, { ...place, path: '/home/user/extra.xlsx' }]
              : operations;
          }),
        ),
      ),
      ...[0, 3, 6].map((i) =>
        bad(
          'opened before it is there',
          check.order,
          at(opened, i).name,
          with_(at(opened, i), (operations) => [
            ...operations.filter(({ op }) => op === 'open'),
            ...operations.filter(({ op }) => op !== 'open'),
          ]),
        ),
      ),
      ...[1, 4].map((i) =>
        bad(
          'not opened',
          check.preconditions,
          at(opened, i).name,
          with_(at(opened, i), (operations) => operations.filter(({ op }) => op !== 'open')),
        ),
      ),
      ...outside.map((path, i) =>
        bad(
          'a path outside',
          check.folders,
          path,
          with_(at(bases, i * 3), (operations) => [...operations, run('touch', path)]),
        ),
      ),
      ...programs.map((command, i) =>
        bad(
          'a program',
          check.programs,
          command.join(' '),
          with_(at(bases, i * 2 + 1), (operations) => [...operations, run(...command)]),
        ),
      ),
      ...[0, 1, 4, 8].map((i) => {
        const base = at(bases, i);
        const answer =
          base.hidden.answers.find(({ value }) => typeof value === 'number' && String(value).length > 5)?.value ??
          at(base.hidden.answers, 0).value;
        return bad(
          'an answer',
          check.answers,
          base.name,
          with_(base, (operations) => [...operations, run('notify-send', `It is ${answer}`)]),
        );
      }),
      bad(
        'an open quote',
        check.parses,
        'after the end',
        text(at(bases, 6), (script) => `${script}echo 'oops\n`),
      ),
      bad(
        'an open block',
        check.parses,
        'if',
        text(at(bases, 7), (script) => `${script}if true; then\n echo x\n`),
      ),
      bad(
        'goes on after errors',
        check.parses,
        'no set',
        text(at(bases, 9), (script) => script.replace('set -euo pipefail', '')),
      ),
      bad(
        'another interpreter',
        check.parses,
        'python',
        text(at(bases, 11), (script) => script.replace('bash', 'python3')),
      ),
      bad(
        'two faults',
        check.programs,
        'shutdown',
        show(
          at(bases, 13),
          changed(at(bases, 13).script, (setup) => {
            setup.script += 'shutdown now\n';
          }),
        ),
      ),
    ];
  },
};
