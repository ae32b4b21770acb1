import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLaid, readRecipe } from './image-recipe.ts';

let folder: string;
const write = (path: string, text: string) => writeFile(join(folder, path), text);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recipe-'));
  await mkdir(join(folder, 'wheels'));
  await write('Dockerfile', 'FROM scratch\n');
  await write('wheels/README.md', 'What lies here\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('is named after what is in the recipe, not after what was laid beside it', async () => {
  const before = await readRecipe(folder, 'full');
  await write('wheels/some-1.0.whl', 'wheel');
  await write('wheels/editor.tar.gz', 'editor');
  await write('wheels/editor.lock', '{}');
  const after = await readRecipe(folder, 'full');
  expect(after.name).toBe(before.name);
  expect(after.files.map(({ path }) => path)).toEqual(['Dockerfile', 'wheels/README.md']);
  await write('Dockerfile', 'FROM scratch\nRUN true\n');
  expect((await readRecipe(folder, 'full')).name).not.toBe(before.name);
});

it('takes the editor along only where it is used', async () => {
  const laid = async (target: 'minimal' | 'full') => (await readLaid(folder, target)).map(({ path }) => path);
  expect(await laid('minimal')).toEqual(['wheels/some-1.0.whl']);
  expect(await laid('full')).toEqual(['wheels/editor.lock', 'wheels/editor.tar.gz', 'wheels/some-1.0.whl']);
});
