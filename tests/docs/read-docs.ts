import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export interface Page {
  /** Path from the project's folder. */
  path: string;
  text: string;
}

function page(path: string): Page {
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

/** README.md and every page below docs/. */
export function docPages(): Page[] {
  const names = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  return [page('README.md'), ...names.filter((name) => name.endsWith('.md')).map((name) => page(join('docs', name)))];
}

/** Text without fenced code blocks. */
export function withoutCode(text: string): string {
  return text.replace(/^```[^\n]*\n[\s\S]*?^```$/gm, '');
}

/** Manifests of the project and its workspaces, by path from the project's folder. */
export function manifestPaths(): string[] {
  const groups = ['apps', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name)),
  );
  const folders = [root, ...groups, ...['workflows', 'nodes', 'preparers', 'gates'].map((name) => join(root, name))];
  return folders.map((folder) => relative(root, join(folder, 'package.json'))).sort();
}
