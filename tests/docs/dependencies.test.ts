import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { manifestPaths, root } from './read-docs.ts';

const Versions = z.record(z.string(), z.string()).default({});
const Manifest = z.looseObject({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
  peerDependencies: Versions,
});

/** `name version` of every dependency that is not a workspace of this project. */
const declared = new Set(
  [...manifestPaths(), 'docker/desktop/editor/package.json']
    .map((path) => Manifest.parse(JSON.parse(readFileSync(join(root, path), 'utf8'))))
    .flatMap((one) => [one.dependencies, one.devDependencies, one.optionalDependencies, one.peerDependencies])
    .flatMap((versions) => Object.entries(versions))
    .filter(([name]) => !name.startsWith('@cua-forge/'))
    .map(([name, version]) => `${name} ${version}`),
);
const lines = readFileSync(join(root, 'docs/dependencies.md'), 'utf8').split('\n');
const listed = lines
  .filter((line) => line.startsWith('- '))
  .map((line) => /^- (\S+ \S+): \S.{5,}$/.exec(line)?.[1] ?? line);

it('every dependency is listed in docs/dependencies.md with its version and why it is there', () => {
  expect([...declared].filter((one) => !listed.includes(one))).toEqual([]);
});

it('docs/dependencies.md lists nothing else, and nothing twice', () => {
  expect(listed.filter((one) => !declared.has(one))).toEqual([]);
  expect(listed).toEqual([...new Set(listed)]);
});

it('every dependency is pinned to one version', () => {
  expect([...declared].filter((one) => !/ \d+\.\d+\.\d+(-[\w.]+)?$/.test(one))).toEqual([]);
});
