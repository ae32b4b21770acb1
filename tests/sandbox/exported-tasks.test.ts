import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkRunner } from '@cua-forge/cli/commands/check-runner';
import { cuaGymOfPackage } from '@cua-forge/package-folder/cua-gym';
import { harborOfPackage } from '@cua-forge/package-folder/harbor';
import { type LoadedPackage, packageOfFiles } from '@cua-forge/package-folder/package-files';
import { samplePackage } from '@cua-forge/package-folder/testing/sample-package';
import { writeFolder } from '@cua-forge/package-folder/write-files';
import { readRecipe } from '@cua-forge/sandbox/image-recipe';
import { CheckFile } from '@cua-forge/spec/check';
import { SolutionFile } from '@cua-forge/spec/solution';
import { Rubric } from '@cua-forge/spec/task';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Desks, prepareDesks } from './prepare.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const book = '/home/user/Documents/Bücher 2024.xlsx';
const image = `cua-forge-test-harbor:${process.pid}`;
const name = `cua-forge-test-harbor-${process.pid}`;
let desks: Desks;
let folder: string;
let sample: LoadedPackage;

/** The sample with a check of its must criterion, and a solution by openpyxl. */
async function checkedPackage(): Promise<LoadedPackage> {
  const checks = CheckFile.parse({
    schema: 1,
    checks: [
      {
        id: 'total',
        check: {
          see: { look: 'cell', path: book, sheet: 'Data', cell: 'E1', of: 'value' },
          expect: { equals: 7.5, tolerance: 0.001 },
        },
      },
    ],
  });
  const solution = SolutionFile.parse({
    schema: 1,
    through: 'openpyxl',
    run: { how: 'script', language: 'python', entry: 'solve.py', args: ['=SUM(B2:B3)'] },
  });
  const script = `import sys, openpyxl\nbook = openpyxl.load_workbook('${book}')\nbook['Data']['E1'] = sys.argv[1]\nbook.save('${book}')\n`;
  const text = (path: string, content: string) => ({
    path,
    bytes: new TextEncoder().encode(content),
    executable: false,
  });
  const files = (await samplePackage()).map((file) => {
    if (file.path !== 'rubric.json') return file;
    const { criteria } = Rubric.parse(JSON.parse(new TextDecoder().decode(file.bytes)));
    return text(
      file.path,
      JSON.stringify({
        criteria: criteria.map((one) => (one.id === 'total' ? { ...one, judge: 'check', check: 'total' } : one)),
      }),
    );
  });
  return packageOfFiles([
    ...files,
    text('hidden/checks.json', JSON.stringify(checks)),
    text('hidden/solution/solution.json', JSON.stringify(solution)),
    text('hidden/solution/solve.py', script),
  ]);
}

beforeAll(async () => {
  desks = await prepareDesks({ bubblewrap: false });
  folder = await mkdtemp(join(tmpdir(), 'exported-'));
  sample = await checkedPackage();
  const runner = await checkRunner(root);
  const harbor = await writeFolder(join(folder, 'harbor'), harborOfPackage(sample, runner));
  const gym = await writeFolder(join(folder, 'gym'), cuaGymOfPackage(sample, runner));
  const base = (await readRecipe(desks.settings.recipe, 'minimal')).name;
  await run('docker', ['build', '-q', '-t', image, '--build-arg', `BASE_IMAGE=${base}`, join(harbor, 'environment')], {
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
  });
  await run('docker', ['run', '-d', '--name', name, '--network', 'none', '--entrypoint', 'sleep', image, '900']);
  for (const [from, to] of [
    [join(harbor, 'tests'), '/tests'],
    [join(harbor, 'solution'), '/solution'],
    [gym, '/gym'],
  ] as const)
    await run('docker', ['cp', from, `${name}:${to}`]);
  // The sample's own setup.sh does nothing.
  await inside(`mkdir -p "${'/home/user/Documents'}" && cp "/opt/task/files/Bücher 2024.xlsx" "${book}"`);
}, 1_500_000);

afterAll(async () => {
  await run('docker', ['rm', '-f', name]).catch(() => undefined);
  await run('docker', ['rmi', image]).catch(() => undefined);
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  await desks?.stop();
}, 120_000);

const inside = async (command: string): Promise<string> =>
  (await run('docker', ['exec', '-e', 'HOME=/home/user', '-e', 'LANG=C.UTF-8', name, 'bash', '-c', command])).stdout;
const verdict = async () => {
  await inside('CUA_FORGE_LOGS=/tmp/verifier bash /tests/test.sh');
  return {
    reward: await inside('cat /tmp/verifier/reward.txt'),
    seen: JSON.parse(await inside('cat /tmp/verifier/checks.json')),
    gym: JSON.parse(
      await inside(
        'cd /gym/*/reward 2>/dev/null || cd /gym/reward; python3 -c "import reward; print(reward.reward())"',
      ),
    ),
  };
};

it('judges a container by the checks of its package without this product, untouched and solved', async () => {
  const untouched = await verdict();
  expect(untouched).toMatchObject({ reward: '0\n', gym: 0, seen: { reward: 0, score: 0, open: ['label'] } });
  expect(untouched.seen.criteria[0].evidence[0]).toContain('E1');
  await inside('bash /solution/solve.sh');
  // The formula has no result yet: the evaluator has LibreOffice calculate it.
  const solved = await verdict();
  expect(solved).toMatchObject({ reward: '1\n', gym: 1, seen: { reward: 1, score: 1 } });
}, 300_000);

it('gives no reward without a verdict', async () => {
  await inside('mkdir /tmp/broken && cp -r /tests /tmp/broken && rm /tmp/broken/tests/package/hidden/checks.json');
  await expect(inside('CUA_FORGE_LOGS=/tmp/none bash /tmp/broken/tests/test.sh')).rejects.toMatchObject({ code: 2 });
  expect(await inside('ls /tmp/none')).toBe('checks.json\n');
});
