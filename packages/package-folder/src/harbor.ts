import { ForgeError } from '@cua-forge/spec/errors';
import { SolutionFile } from '@cua-forge/spec/solution';
import type { TaskManifest } from '@cua-forge/spec/task';
import { type FoundFile, type LoadedPackage, packageOfFiles } from './package-files.ts';
import type { FileToWrite } from './write-files.ts';

/**
 * A package as a Harbor (Terminal-Bench 2) task folder:
 *
 *     task.toml, instruction.md
 *     environment/   Dockerfile, setup/, files/         what the agent's container is made from
 *     solution/      solve.sh                           only where the package has a reference solution that is a program
 *     tests/         test.sh, rubric.json, package/     what the verifier needs; never in the agent's container
 *                    cua-forge-check.mjs                 the evaluator of the checks, where the package has some and `runner` is given
 *
 * `tests/package/` keeps what Harbor has no place for (`task.json`, `hidden/`), so that `packageOfHarbor` gives the same package back.
 */
export function harborOfPackage({ package: taskPackage, bytes }: LoadedPackage, runner?: Uint8Array): FileToWrite[] {
  const { manifest, files } = taskPackage;
  const checks = files.find(({ path }) => path === CHECKS);
  const placed = files.map(({ path, file, executable }): FileToWrite => {
    const content = bytes.get(file.hash);
    if (content === undefined)
      throw new ForgeError('artifact.missing', `The file ${path} of the package is not at hand.`);
    return { path: harborPath(path), bytes: content, executable };
  });
  return [
    { path: 'task.toml', bytes: taskToml(manifest) },
    { path: 'environment/Dockerfile', bytes: dockerfile(files.some(({ path }) => path.startsWith('files/'))) },
    ...placed,
    ...solutionFilesOf(files, bytes),
    ...(checks === undefined || runner === undefined ? [] : [{ path: `tests/${RUNNER}`, bytes: runner }]),
    { path: 'tests/test.sh', bytes: testScript(checks !== undefined, runner !== undefined), executable: true },
  ];
}

const SOLUTION = 'hidden/solution/';
const CHECKS = 'hidden/checks.json';
const RUNNER = 'cua-forge-check.mjs';
/** Folders of a package, and where they lie in Harbor's. */
const moved: readonly (readonly [string, string])[] = [
  ['instruction.md', 'instruction.md'],
  ['rubric.json', 'tests/rubric.json'],
  ['setup/', 'environment/setup/'],
  ['files/', 'environment/files/'],
];
const KEPT = 'tests/package/';

function harborPath(path: string): string {
  const rule = moved.find(([from]) => path === from || (from.endsWith('/') && path.startsWith(from)));
  return rule === undefined ? `${KEPT}${path}` : `${rule[1]}${path.slice(rule[0].length)}`;
}

/** The package inside a Harbor folder. @throws ForgeError `input.invalid` when it was not made from one */
export function packageOfHarbor(files: readonly FoundFile[]): LoadedPackage {
  const found = files.flatMap(({ path, ...rest }): FoundFile[] => {
    if (path.startsWith(KEPT)) return [{ ...rest, path: path.slice(KEPT.length) }];
    const rule = moved.find(([, to]) => path === to || (to.endsWith('/') && path.startsWith(to)));
    return rule === undefined ? [] : [{ ...rest, path: `${rule[0]}${path.slice(rule[1].length)}` }];
  });
  if (!found.some(({ path }) => path === 'task.json'))
    throw new ForgeError(
      'input.invalid',
      'This Harbor task was not made from a task package: it has no tests/package/task.json.',
      {
        fix: 'Only folders that `forge packages export --format harbor` wrote can be read back.',
      },
    );
  return packageOfFiles(found);
}

/** Text as a TOML basic string. */
const toml = (text: string): string => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

function taskToml({ id, title, domain, skills, applications, seed, outcome, models }: TaskManifest): string {
  return `version = "1.0"

[metadata]
name = ${toml(id)}
description = ${toml(title)}
category = ${toml(domain)}
tags = [${[...skills, ...applications].map(toml).join(', ')}]

[metadata.forge]
seed = ${seed}
outcome = ${toml(outcome.kind)}
models = [${models.map(toml).join(', ')}]

[agent]
timeout_sec = 1800.0

[verifier]
timeout_sec = 300.0

[environment]
build_timeout_sec = 600.0
cpus = 2
memory_mb = 4096
storage_mb = 4096
allow_internet = false
`;
}

/** A folder that is not there cannot be copied. */
const dockerfile = (
  hasFiles: boolean,
): string => `# The desktop image of CUA Forge, or one of your own with the applications of the task.
ARG BASE_IMAGE=cua-forge/desktop:full
FROM \${BASE_IMAGE}
COPY --chown=1000:1000 setup /opt/task/setup
${hasFiles ? 'COPY --chown=1000:1000 files /opt/task/files\n' : ''}# The verifier's evaluator needs it.
USER root
RUN command -v node >/dev/null || (apt-get update && apt-get install -y --no-install-recommends nodejs && apt-get clean && rm -rf /var/lib/apt/lists/*)
USER 1000:1000
# Run it once the display is there: bash /opt/task/setup/setup.sh
ENV CUA_FORGE_SETUP=/opt/task/setup/setup.sh
`;

function testScript(checked: boolean, runs: boolean): string {
  if (checked && runs)
    return `#!/usr/bin/env bash
# Judges the machine by the checks in package/hidden/checks.json. The reward is 1 when every must criterion with a check holds; the evidence lies beside it.
# Criteria without a check are for a judge, with rubric.json. Without a verdict there is no reward, not a reward of 0.
set -u
tests="$(cd "$(dirname "\${BASH_SOURCE[0]}")" && pwd)"
logs="\${CUA_FORGE_LOGS:-/logs/verifier}"
mkdir -p "$logs"
command -v node >/dev/null || { echo 'Node 18 or later is missing; environment/Dockerfile installs it.' >&2; exit 2; }
node "$tests/${RUNNER}" "$tests/package" --rubric "$tests/rubric.json" --reward "$logs/reward.txt" >"$logs/checks.json"
`;
  return `#!/usr/bin/env bash
# ${
    checked
      ? 'The executable checks of this task are in package/hidden/checks.json; this folder was made without their runner.'
      : 'This task has no executable checks: its criteria in rubric.json are for a judge.'
  }
# Without a verdict there is no reward, not a reward of 0.
echo '${checked ? 'Score this task with its checks in /tests/package/hidden/checks.json.' : 'Judge this task with /tests/rubric.json.'}' >&2
exit 2
`;
}

/** `solution/solve.sh` with the files it runs, where the reference solution is a program; recorded actions need a sandbox of CUA Forge. */
export function solutionFilesOf(
  files: LoadedPackage['package']['files'],
  bytes: LoadedPackage['bytes'],
): FileToWrite[] {
  const parts = files.filter(({ path }) => path.startsWith(SOLUTION));
  const described = parts.find(({ path }) => path === `${SOLUTION}solution.json`);
  if (described === undefined) return [];
  const { run } = SolutionFile.parse(JSON.parse(Buffer.from(bytes.get(described.file.hash) ?? []).toString('utf8')));
  if (run.how !== 'script' || run.language === 'uno') return [];
  const program = run.language === 'python' ? 'python3' : 'bash';
  const words = [run.entry, ...run.args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  return [
    ...parts.map(({ path, file, executable }) => ({
      path: `solution/files/${path.slice(SOLUTION.length)}`,
      bytes: bytes.get(file.hash) ?? '',
      executable,
    })),
    {
      path: 'solution/solve.sh',
      bytes: `#!/usr/bin/env bash
# Runs the reference solution as it runs in a sandbox: as the desktop's user, in the home folder.
set -eu
SOLUTION_FOLDER="$(cd "$(dirname "\${BASH_SOURCE[0]}")/files" && pwd)"
export SOLUTION_FOLDER
cd "\${HOME:-/home/user}"
exec ${program} "$SOLUTION_FOLDER"/${words[0]} ${words.slice(1).join(' ')}
`,
      executable: true,
    },
  ];
}
