import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCli } from '@cua-forge/cli/program';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { docPages, root, withoutCode } from './read-docs.ts';

const pages = docPages();
const scripts = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).scripts;

/** Anchors of a page's headings, as code hosts make them. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+\s+(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(path: string, text: string): string[] {
  const bare = withoutCode(text).replace(/`[^`\n]*`/g, '');
  const targets = [...bare.matchAll(/\]\(([^)\s]+)\)/g), ...bare.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)];
  return targets
    .map((match) => match[1] ?? '')
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const absolute = file === '' ? join(root, path) : join(root, dirname(path), file);
      if (!existsSync(absolute)) return true;
      return anchor !== undefined && !anchorsOf(readFileSync(absolute, 'utf8')).includes(anchor);
    });
}

/** What `forge … --help` prints. */
async function helpOf(words: string[]): Promise<string> {
  let text = '';
  const write = (chunk: string) => {
    text += chunk;
  };
  const reporter = { line: (line: string) => write(`${line}\n`), update: () => {} };
  const signal = new AbortController().signal;
  const code = await runCli([...words, '--help'], {
    root,
    env: {},
    readSecret: async () => '',
    write,
    reporter,
    signal,
  });
  return code === 0 && text.includes(`Usage: forge ${words.join(' ')} `) ? text : '';
}

interface Command {
  words: string[];
  options: string[];
}

const batchCommands = ['show', 'watch', 'pause', 'resume', 'cancel', 'retry', 'export'];

/** Commands that have commands of their own. */
const groups: ReadonlySet<string> = new Set([
  'runs',
  'packages',
  'users',
  'secrets',
  'documents',
  'workers',
  'models',
  'import',
  'sandbox',
  'schedules',
  'hooks',
  'evaluations',
  'webhooks',
]);

/** The commands below another that are meant; `forge batch SKILL …` stands for `forge batch start`. */
function nestedOf(first: string, second: string, third: string): string[] {
  if (first === 'packages' && second === 'review') return [second, third];
  if (groups.has(first)) return [second];
  return first === 'batch' ? [batchCommands.includes(second) ? second : 'start'] : [];
}

/** The `forge` commands of a text: their words up to the first that is no command's name, and their long options. */
function forgeCommands(text: string): Command[] {
  const code = [...text.matchAll(/`([^`\n]+)`/g), ...text.matchAll(/^(?:\$ )?(npx forge .+)$/gm)];
  return code
    .map((match) => /^(?:npx )?forge (.+)$/.exec((match[1] ?? '').replaceAll('\\|', '|').trim())?.[1])
    .filter((rest): rest is string => rest !== undefined && /^[a-z]/.test(rest))
    .map((rest) => {
      const [first = '', second = '', third = ''] = rest.split(/[\s[]+/).map((word) => word.split('|')[0] ?? '');
      const nested = nestedOf(first, second, third);
      return {
        words: [first, ...nested].filter((word) => /^[a-z]+$/.test(word)),
        options: rest.match(/--[a-z-]+/g) ?? [],
      };
    });
}

describe.each(pages)('$path', ({ path, text }) => {
  it('has relative links that lead somewhere', () => {
    expect(brokenLinks(path, text)).toEqual([]);
  });

  it('names only scripts that package.json has', () => {
    const named = [...text.matchAll(/\bnpm run ([a-z][a-z:-]*)/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it('names only commands and options that the command line has', async () => {
    const wrong: string[] = [];
    for (const { words, options } of forgeCommands(text)) {
      const help = await helpOf(words);
      if (help === '') wrong.push(`forge ${words.join(' ')}`);
      for (const option of options) if (!help.includes(`${option}`)) wrong.push(`forge ${words.join(' ')} ${option}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe('the index', () => {
  it.each(pages.map(({ path }) => path).filter((path) => path.startsWith('docs/') && path !== 'docs/README.md'))(
    'leads to %s',
    (path) => {
      const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
      expect(index).toContain(`](${path.replace('docs/', '')})`);
    },
  );
});
