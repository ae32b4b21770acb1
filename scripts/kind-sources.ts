import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';

const suffix = /\.(?:node|preparer|gate)\.ts$/;
const importOf = /(?:^|\n)\s*(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g;
const PackageJson = z.looseObject({ name: z.string(), version: z.string() });

/** Files that declare kinds, below the given folders, sorted by path. */
export function kindFiles(folders: readonly string[]): string[] {
  return folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
    .filter((file) => suffix.test(file))
    .sort();
}

/** `nodes/src/data/file.node.ts` → `@cua-forge/nodes/data/file.node`. */
export function importName(root: string, file: string): string {
  const [workspace, , ...rest] = relative(root, file).split(sep);
  return `@cua-forge/${workspace}/${rest.join('/').replace(/\.ts$/, '')}`;
}

/** Files of packages/spec that say what a kind is, not what it does: they are not part of any implementation. */
const contracts = new Set(
  ['document', 'errors', 'json', 'kind', 'model-port', 'port-type', 'value'].map(
    (name) => `packages/spec/src/${name}.ts`,
  ),
);

/**
 * SHA-256 over a kind's source, the files of this product that it imports (transitively, contracts left out), and the
 * installed versions of the vendor packages among the imports.
 */
export function implementationOf(root: string, file: string): string {
  const sources = new Map<string, string>();
  const vendors = new Map<string, string>();
  const visit = (path: string) => {
    const name = relative(root, path).split(sep).join('/');
    if (sources.has(name) || contracts.has(name)) return;
    const source = readFileSync(path, 'utf8').replaceAll('\r\n', '\n');
    sources.set(name, source);
    for (const match of source.matchAll(importOf)) {
      const target = match[1] ?? match[2] ?? '';
      if (target.startsWith('.')) visit(resolve(dirname(path), target));
      else if (target.startsWith('@cua-forge/')) visit(workspaceFile(root, target));
      else if (!isBuiltin(target)) {
        const vendor = packageName(target);
        vendors.set(vendor, installedVersion(dirname(path), vendor));
      }
    }
  };
  visit(file);
  const hash = createHash('sha256');
  for (const [name, text] of [...sources].sort(byKey)) hash.update(`${name}\n${text.length}\n${text}\n`);
  for (const [name, version] of [...vendors].sort(byKey)) hash.update(`${name}@${version}\n`);
  return hash.digest('hex');
}

function workspaceFile(root: string, specifier: string): string {
  const [, workspace = '', ...rest] = specifier.split('/');
  const file = `${rest.join('/')}.ts`;
  const inPackages = join(root, 'packages', workspace, 'src', file);
  return existsSync(inPackages) ? inPackages : join(root, workspace, 'src', file);
}

const byKey = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier);
}

function installedVersion(folder: string, name: string): string {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest)) return PackageJson.parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`The package ${name} is imported by a kind but not installed. Run npm ci.`);
  return installedVersion(parent, name);
}
