import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkProblems } from '@cua-forge/spec/check-compile';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { evaluateCheck } from '../evaluate.ts';
import { memoryReader } from '../file-readers.ts';
import { Looker } from '../look.ts';
import { reportOsworld } from './import-report.ts';

const path = '/home/user/hours.xlsx';
const task = (change: object) => ({
  id: 'one',
  snapshot: 'libreoffice_calc',
  instruction: 'Add up the hours.',
  config: [
    { type: 'download', parameters: { files: [{ url: 'https://files.example/hours.xlsx', path }] } },
    { type: 'open', parameters: { path } },
  ],
  evaluator: {
    func: 'compare_table',
    result: { type: 'vm_file', path, dest: 'hours.xlsx' },
    expected: { type: 'cloud_file', path: 'https://files.example/gold.xlsx', dest: 'gold.xlsx' },
    options: { rules: [{ type: 'sheet_data', sheet_idx0: 0, sheet_idx1: 'EI0' }] },
  },
  ...change,
});
const report = (...tasks: unknown[]) =>
  reportOsworld([{ name: 'own/calc.jsonl', text: tasks.map((one) => JSON.stringify(one)).join('\n') }]);
const only = (change: object) => {
  const [found] = report(task(change)).tasks;
  if (found === undefined) throw new Error('the task was not read');
  return found;
};
const rule = (func: string, rules: unknown, result: object, options: object = {}) =>
  only({ evaluator: { func, result, expected: { type: 'rule', rules }, options } });

async function book(total: number): Promise<Uint8Array> {
  const made = new ExcelJS.Workbook();
  made.addWorksheet('Hours').addRows([
    ['Ann', 7.5],
    ['Total', total],
  ]);
  return new Uint8Array(await made.xlsx.writeBuffer());
}

describe('a task', () => {
  it('that maps wholly has operations and a check that tells right from wrong', async () => {
    const { whole, check, operations, domain } = only({});
    expect({ whole, domain }).toEqual({ whole: true, domain: 'calc' });
    expect(operations).toEqual([
      { op: 'place-file', url: 'https://files.example/hours.xlsx', path },
      { op: 'open', application: 'libreoffice-calc', path },
    ]);
    if (check === null) throw new Error('no check');
    const on = async (total: number) => {
      const looker = new Looker({
        reader: memoryReader(new Map([[path, await book(total)]])),
        references: new Map([['gold.xlsx', await book(7.5)]]),
        office: { convert: async (_name, bytes) => bytes },
        signal: new AbortController().signal,
      });
      return (await evaluateCheck(check, looker)).ok;
    };
    expect([await on(7.5), await on(8)]).toEqual([true, false]);
  });

  it('says by name what does not map', () => {
    const made = only({
      config: [
        { type: 'googledrive', parameters: {} },
        { type: 'open', parameters: { path: '/home/user/a.unknown' } },
        { type: 'fly' },
      ],
      evaluator: {
        func: ['infeasible', 'compare_table'],
        conj: 'or',
        result: [null, { type: 'vm_file', path }],
        postconfig: [{ type: 'execute', parameters: {} }, { type: 'sleep' }],
      },
    });
    expect(made.setup.map(({ name, status }) => [name, status])).toEqual([
      ['googledrive', 'no'],
      ['open', 'no'],
      ['fly', 'no'],
    ]);
    expect(made.evaluators.map(({ status }) => status)).toEqual(['no', 'no']);
    expect(made.evaluators[1]?.why).toContain('`all` of nothing');
    expect(made.before).toEqual(['execute']);
    expect({ check: made.check, whole: made.whole }).toEqual({ check: null, whole: false });
  });

  it('whose rules have another form is not guessed', () => {
    expect(
      rule('check_json_settings', { expected: { a: { deep: 1 } } }, { type: 'vm_file', path: '/home/user/a.json' })
        .check,
    ).toBeNull();
    expect(
      rule(
        'check_thunderbird_prefs',
        { expect: { a: { method: 'odd', ref: 1 } } },
        { type: 'vm_file', path: '/home/user/prefs.js' },
      ).check,
    ).toBeNull();
    expect(rule('check_list', { expect: ['^a$'] }, { type: 'vm_file', path: '/home/user/a.txt' }).check).toBeNull();
    expect(
      only({
        evaluator: { ...task({}).evaluator, options: { rules: [{ type: 'chart', sheet_idx0: 0, sheet_idx1: 'EI0' }] } },
      }).evaluators[0]?.why,
    ).toContain('chart');
  });

  it.each([
    [
      'check_include_exclude',
      { include: ['yes'], exclude: ['no'] },
      { type: 'vm_command_line', command: 'uname -a', shell: true },
    ],
    ['exact_match', { expected: 'Thomas' }, { type: 'profile_name' }],
    ['check_config_status', { key: 'theme', value: '"Light"' }, { type: 'gimp_config_file', file_name: 'gimprc' }],
    ['check_qt_max_volume', { expected_qt_max_volume: 200 }, { type: 'vlc_config' }],
    [
      'check_thunderbird_prefs',
      { expect: { a: { method: 'eq', ref: true } }, unexpect: { b: { method: 'eq', ref: 1 } } },
      { type: 'vm_file', path: '/home/user/prefs.js' },
    ],
    ['is_expected_bookmarks', { type: 'bookmark_bar_folders_names', names: ['Work'] }, { type: 'bookmarks' }],
    ['run_sqlite3', { sql: 'select count(*) from a' }, { type: 'vm_file', path: '/home/user/a.sqlite' }],
    [
      'is_expected_active_tab_approximate',
      { type: 'url', url: 'chrome://settings/cookies' },
      { type: 'active_url_from_accessTree', goto_prefix: '' },
    ],
    [
      'check_json_keybindings',
      { expected: { key: 'ctrl+k', command: 'x' } },
      { type: 'vm_file', path: '/home/user/k' },
    ],
    ['match_in_list', { expected: ['light', 'system'] }, { type: 'chrome_appearance_mode_ui' }],
    ['exact_match', { expected: 'true' }, { type: 'data_delete_automacally' }],
    ['check_line_number', { expected: '31' }, { type: 'vm_file', path: '/home/user/a.txt' }],
    ['check_qt_slider_colours', { type: 'blackish' }, { type: 'vlc_config' }],
    ['check_gnome_favorite_apps', { expected: ['a', 'b'] }, { type: 'vm_command_line', command: 'gsettings get a b' }],
    ['check_transition', { slide_idx: 0, transition_type: 'dissolve' }, { type: 'vm_file', path: '/home/user/a.pptx' }],
  ])('with %s has a check that can fail', (func, rules, result) => {
    const { check } = rule(func, rules, result);
    if (check === null) throw new Error('no check');
    expect(checkProblems(check)).toEqual([]);
  });
});

it('judges a combination of keys whatever the order of its members', async () => {
  const { check } = rule(
    'check_json_keybindings',
    { expected: { key: 'ctrl+k', command: 'x', when: 'y' } },
    { type: 'vm_file', path: '/home/user/k.json' },
  );
  if (check === null) throw new Error('no check');
  const on = async (text: string) => {
    const reader = memoryReader(new Map([['/home/user/k.json', new TextEncoder().encode(text)]]));
    const signal = new AbortController().signal;
    return (
      await evaluateCheck(check, new Looker({ reader, office: { convert: async (_name, bytes) => bytes }, signal }))
    ).ok;
  };
  expect(await on('// Keys\n[{"when": "y", "command": "x", "key": "ctrl+k"}]')).toBe(true);
  expect(await on('[{"command": "x", "key": "ctrl+k"}]')).toBe(false);
});

it('looks at what steps before the check print', () => {
  const made = only({
    evaluator: {
      postconfig: [{ type: 'execute', parameters: { command: ['apt', 'list', '--installed'], stdout: 'apt.out' } }],
      func: 'check_list',
      result: { type: 'cache_file', path: 'apt.out' },
      expected: { type: 'rule', rules: { expect: ['openjdk-\\d+'] } },
    },
  });
  expect(made).toMatchObject({ whole: true, before: [] });
  expect(JSON.stringify(made.check)).toContain('["apt","list","--installed"]');
});

it('carries out what a setup does on the screen, and what it installs', () => {
  const python = (code: string) => ({ type: 'execute', parameters: { command: ['python', '-c', code] } });
  const shell = (command: string) => ({ type: 'command', parameters: { command, shell: 'true' } });
  const one = (step: object) => only({ config: [step] });
  expect(
    one(
      python(
        "import pyautogui; pyautogui.hotkey('ctrl', 'alt', 't'); pyautogui.press('down', presses=3, interval=0.1); pyautogui.write('it is')",
      ),
    ).operations,
  ).toEqual([
    {
      op: 'run',
      why: 'The step execute of the imported task',
      command: [
        'bash',
        '-c',
        [
          'set -e',
          'read -r width height < <(xdotool getdisplaygeometry)',
          'xdotool key ctrl+alt+t',
          'timeout 30 xdotool search --sync --onlyvisible --class term >/dev/null',
          'sleep 2',
          'xdotool key --repeat 3 --delay 100 Down',
          "xdotool type --delay 20 -- 'it is'",
        ].join('\n'),
      ],
    },
  ]);
  expect(one(python('import pyautogui; pyautogui.moveTo(1, 2)')).setup[0]?.status).toBe('no');
  const sudo = (text: string) => `echo {CLIENT_PASSWORD} | sudo -S ${text}`;
  expect(one(shell(`${sudo('apt-get update')} && ${sudo('apt-get install sysstat')}`)).operations).toMatchObject([
    { op: 'run', command: ['dpkg-query', '--show', 'sysstat'] },
  ]);
  expect(one(shell(sudo('apt install -y cowsay'))).setup[0]?.why).toContain('cowsay');
  expect(one(shell(`${sudo('apt install -y jq')} && rm -rf /tmp/a`)).setup[0]?.status).toBe('no');
});

it('names lines that are no task', () => {
  const { tasks, unreadable, totals } = reportOsworld([
    { name: 'a.jsonl', text: `${JSON.stringify(task({}))}\n{"id": 1}\nnot JSON\n` },
  ]);
  expect(tasks.length).toBe(1);
  expect(unreadable.map(({ place }) => place)).toEqual(['a.jsonl:2', 'a.jsonl:3']);
  expect(unreadable[0]?.why).toContain('instruction');
  expect(totals).toMatchObject({ tasks: 1, whole: 1, evaluators: { compare_table: { all: 1, map: 1, partly: 0 } } });
});

const shared = resolve(import.meta.dirname, '../../../../../shared/data/osworld');

describe.skipIf(!existsSync(shared))('the tasks of OSWorld (when the shared data lies beside the project)', () => {
  it('are all read, and every check that they give can fail and hold', () => {
    const files = readdirSync(shared)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => ({ name, text: readFileSync(resolve(shared, name), 'utf8') }));
    const { tasks, unreadable, totals } = reportOsworld(files);
    expect(unreadable).toEqual([]);
    expect(totals.tasks).toBe(306);
    expect(Object.keys(totals.evaluators).length).toBe(98);
    expect(totals.setupMaps).toBeGreaterThanOrEqual(200);
    expect(totals.checkMaps).toBeGreaterThanOrEqual(110);
    for (const { id, check } of tasks) if (check !== null) expect(checkProblems(check), id).toEqual([]);
    for (const { id, evaluators, check } of tasks)
      if (check === null) expect(evaluators.some(({ why }) => why !== '') || evaluators.length > 1, id).toBe(true);
  });
});
