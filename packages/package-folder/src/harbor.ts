import { ForgeError } from '@cua-forge/spec/errors';
import type { TaskManifest } from '@cua-forge/spec/task';
import { type FoundFile, type LoadedPackage, packageOfFiles } from './package-files.ts';
import type { FileToWrite } from './write-files.ts';

/**
 * A package as a Harbor (Terminal-Bench 2) task folder:
 *
 *     task.toml, instruction.md
 *     environment/   Dockerfile, setup/, files/         what the agent's container is made from
 *     solution/      solve.sh                           only where the package has a reference solution
 *     tests/         test.sh, rubric.json, package/     what the verifier needs; never in the agent's container
 *
 * `tests/package/` keeps what Harbor has no place for (`task.json`, `hidden/`), so that `packageOfHarbor` gives the same package back.
 */
export function harborOfPackage({ package: taskPackage, bytes }: LoadedPackage): FileToWrite[] {
  const { manifest, files } = taskPackage;
  const solution = files.find(({ path }) => path === SOLUTION);
  const checks = files.find(({ path }) => path === CHECKS);
  const placed = files.map(({ path, file, executable }): FileToWrite => {
    const content = bytes.get(file.hash);
    if (content === undefined)
      throw new ForgeError('artifact.missing', `The file ${path} of the package is not at hand.`);
    return { path: harborPath(path), bytes: content, executable };
  });
  return [
    { path: 'task.toml', bytes: taskToml(manifest) },
    { path: 'environment/Dockerfile', bytes: DOCKERFILE },
    ...placed,
    ...(solution === undefined
      ? []
      : [{ path: 'solution/solve.sh', bytes: bytes.get(solution.file.hash) ?? '', executable: true }]),
    { path: 'tests/test.sh', bytes: testScript(checks !== undefined), executable: true },
  ];
}

const SOLUTION = 'hidden/solution.sh';
const CHECKS = 'hidden/checks.json';
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

const DOCKERFILE = `# The desktop image of CUA Forge, or one of your own with the applications of the task.
ARG BASE_IMAGE=cua-forge/desktop:full
FROM \${BASE_IMAGE}
COPY --chown=1000:1000 setup /opt/task/setup
COPY --chown=1000:1000 files /opt/task/files
# Run it once the display is there: bash /opt/task/setup/setup.sh
ENV CUA_FORGE_SETUP=/opt/task/setup/setup.sh
`;

const testScript = (checked: boolean): string => `#!/usr/bin/env bash
# ${
  checked
    ? 'The executable checks of this task are in package/hidden/checks.json; their runner needs Node and CUA Forge, which this image does not have.'
    : 'This task has no executable checks: its criteria in rubric.json are for a judge.'
}
# Without a verdict there is no reward, not a reward of 0.
echo '${checked ? 'Score this task with its checks in /tests/package/hidden/checks.json.' : 'Judge this task with /tests/rubric.json.'}' >&2
exit 2
`;
