import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskManifest } from '@cua-forge/spec/task';
import { shapeWords } from './file-shape.ts';
import type { PackageView } from './measure.ts';

/** Reads the folder of a task package. */
export async function readPackage(folder: string): Promise<PackageView> {
  const manifest = TaskManifest.parse(JSON.parse(await readFile(join(folder, 'task.json'), 'utf8')));
  const shape: string[] = [];
  for (const { path } of manifest.files)
    shape.push(...(await shapeWords(path, new Uint8Array(await readFile(join(folder, path))))));
  return {
    id: manifest.id,
    instruction: await readFile(join(folder, 'instruction.md'), 'utf8'),
    outcome: manifest.outcome.kind,
    traits: manifest.traits,
    shape,
  };
}

/** Packages in a folder, in the order of their names. */
export async function readPackages(folder: string): Promise<PackageView[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const views: PackageView[] = [];
  for (const name of names.sort()) views.push(await readPackage(join(folder, name)));
  return views;
}
