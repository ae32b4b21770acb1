import { ForgeError } from '@cua-forge/spec/errors';
import { solutionFilesOf } from './harbor.ts';
import type { LoadedPackage } from './package-files.ts';
import type { FileToWrite } from './write-files.ts';

/**
 * A package as the triple that CUA-Gym makes: an instruction, the state of an environment, and a reward function. No layout of it is published, so this is ours:
 *
 *     task.json                    ids, instruction, where the rest lies
 *     environment/setup.sh, …      makes the state; files/ beside it
 *     reward/reward.py             reward() → 0.0 or 1.0, by the checks beside it; None where there is no verdict
 *     solution/                    the reference solution, where it is a program
 */
export function cuaGymOfPackage({ package: taskPackage, bytes }: LoadedPackage, runner: Uint8Array): FileToWrite[] {
  const { manifest, files } = taskPackage;
  const read = (path: string): Uint8Array => {
    const part = files.find((file) => file.path === path);
    const content = part && bytes.get(part.file.hash);
    if (content === undefined)
      throw new ForgeError('artifact.missing', `The file ${path} of the package is not at hand.`);
    return content;
  };
  const checked = files.some(({ path }) => path === 'hidden/checks.json');
  const within = (from: string, to: string): FileToWrite[] =>
    files.flatMap(({ path, executable }) =>
      path.startsWith(from) ? [{ path: `${to}${path.slice(from.length)}`, bytes: read(path), executable }] : [],
    );
  const solution = solutionFilesOf(files, bytes);
  const task = {
    schema: 'cua-forge/cua-gym/1',
    id: manifest.id,
    instruction: new TextDecoder().decode(read('instruction.md')).trim(),
    domain: manifest.domain,
    applications: manifest.applications,
    seed: manifest.seed,
    environment: {
      setup: 'environment/setup/setup.sh',
      files: manifest.files.map(({ path, sandboxPath, hash, size }) => ({
        source: `environment/${path}`,
        path: sandboxPath,
        sha256: hash,
        size,
      })),
    },
    reward: checked ? { module: 'reward/reward.py', function: 'reward', needs: ['node >= 18'] } : null,
    rubric: 'reward/rubric.json',
    solution: solution.length === 0 ? null : 'solution/solve.sh',
  };
  return [
    { path: 'task.json', bytes: `${JSON.stringify(task, null, 2)}\n` },
    ...within('setup/', 'environment/setup/'),
    ...within('files/', 'environment/files/'),
    { path: 'reward/rubric.json', bytes: read('rubric.json') },
    ...(checked
      ? [
          { path: 'reward/reward.py', bytes: rewardPython },
          { path: 'reward/cua-forge-check.mjs', bytes: runner },
          { path: 'reward/package/hidden/checks.json', bytes: read('hidden/checks.json') },
          ...within('hidden/references/', 'reward/package/hidden/references/'),
        ]
      : []),
    ...solution,
  ];
}

const rewardPython = `"""The reward of this task: 1.0 when every must criterion that has a check holds on this machine, else 0.0."""

import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent


def judge():
    """What the checks saw: reward, score, criteria with their evidence, and the criteria that only a judge can decide. None where there is no verdict."""
    command = ["node", str(HERE / "cua-forge-check.mjs"), str(HERE / "package"), "--rubric", str(HERE / "rubric.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def reward():
    verdict = judge()
    return None if verdict is None else float(verdict["reward"])


if __name__ == "__main__":
    print(json.dumps(judge(), indent=2))
`;
