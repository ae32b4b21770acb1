import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, resolve } from 'node:path';
import type { GraphDocument } from '@cua-forge/spec/document';
import { TaskManifest } from '@cua-forge/spec/task';
import { generatePackages } from './lib/generate-packages.ts';
import { readSkill } from './lib/generate-task.ts';
import { renderPage } from './lib/render-page.ts';

/**
 * Writes docs/authoring/skills.md: what each shipped skill makes, its inputs, and three packages that the engine made in
 * rehearsal, with pictures of their files. Needs LibreOffice and poppler. Skills may be named; all are written anew otherwise.
 */

const shown = { packages: 3, seed: 7, mostBytes: 60_000 };

const root = resolve(import.meta.dirname, '..');
const page = join(root, 'docs/authoring/skills.md');
const pictures = join(root, 'docs/images/skills');

async function replace(path: string, content: string | Uint8Array): Promise<void> {
  await writeFile(`${path}.tmp`, content);
  await rename(`${path}.tmp`, path);
}

function inputTable(document: GraphDocument): string {
  const rows = Object.entries(document.inputs).map(
    ([name, { type, doc, default: given }]) =>
      `| \`${name}\` | ${type} | ${doc ?? ''} | ${given === undefined ? 'must be given' : `\`${String(given)}\`, a sample of our own`} |`,
  );
  return ['| input | type | what it is | default |', '|---|---|---|---|', ...rows].join('\n');
}

const quote = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');

async function packageSection(skill: string, index: number, folder: string): Promise<string> {
  const manifest = TaskManifest.parse(JSON.parse(await readFile(join(folder, 'task.json'), 'utf8')));
  const instruction = await readFile(join(folder, 'instruction.md'), 'utf8');
  const images: string[] = [];
  for (const [at, { path }] of manifest.files.slice(0, 2).entries()) {
    const name = `${skill}-${index + 1}${at === 0 ? '' : `-${at + 1}`}.png`;
    const png = await renderPage(basename(path), new Uint8Array(await readFile(join(folder, path))), shown.mostBytes);
    await replace(join(pictures, name), png);
    images.push(`![First page of ${basename(path)}](${relative(join(root, 'docs/authoring'), join(pictures, name))})`);
  }
  return [
    `### Seed ${manifest.seed}: ${manifest.outcome.kind}`,
    quote(instruction),
    manifest.files.length > images.length ? `The first ${images.length} of ${manifest.files.length} files:` : '',
    ...images,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

async function skillSection(skill: string, temporary: string): Promise<string> {
  const { document } = readSkill(skill);
  const { packages } = await generatePackages({
    skill,
    count: shown.packages,
    seed: shown.seed,
    out: join(temporary, skill),
  });
  if (packages.length < shown.packages)
    throw new Error(`${skill} gave ${packages.length} of ${shown.packages} packages.`);
  const folders = packages.map(({ path }) => resolve(root, path)).sort((a, b) => seedOf(a) - seedOf(b));
  const parts: string[] = [];
  for (const [index, folder] of folders.entries()) parts.push(await packageSection(skill, index, folder));
  const head = [
    `## ${document.title}`,
    `\`${skill}\`, in [workflow.yaml](../../skills/${skill}/workflow.yaml)`,
    document.description ?? '',
    inputTable(document),
    `\`\`\`bash\nnpx forge generate ${skill} --count 20 --seed ${shown.seed} --out out\n\`\`\``,
  ];
  return [...head, ...parts].filter((part) => part !== '').join('\n\n');
}

const seedOf = (folder: string) => Number(/-(\d+)-[0-9a-f]+$/.exec(folder)?.[1] ?? 0);

const intro = `# Shipped skills

Each skill is a document under \`skills/\` that runs without any setting: give it a file of your own with \`--input\`, or let it take its sample. Samplers draw persons, wishes, structure and layout by the seed; a model drafts names and motives; one shared
specification then feeds files, setup, instruction and rubric; gates check them all. The answers are computed from the data and stay hidden.

The packages below were made in rehearsal, without a model: \`npm run docs:skills\` makes this page anew. How different the packages of a skill are is measured by \`npm run diversity\`: names and numbers are masked in instructions, tables and layouts, then different
combinations of outcome, structure and layout are counted, and packages that are nearly the same (similarity of 0.9 or more) are found. At least 20 combinations for 100 seeds, and fewer than 5 % near-duplicates, are demanded.`;

const temporary = await mkdtemp(join(tmpdir(), 'forge-skill-docs-'));
try {
  await mkdir(pictures, { recursive: true });
  const names = (await readdir(join(root, 'skills'), { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const skills = names.map(({ name }) => name).sort();
  const only = new Set(process.argv.slice(2));
  const before = await readFile(page, 'utf8').catch(() => '');
  const sections: string[] = [];
  for (const [index, skill] of skills.entries()) {
    const old = before.split(/\n(?=## )/).find((section) => section.includes(`\n\`${skill}\`, in [`));
    process.stderr.write(`${skill} (${index + 1} of ${skills.length})\n`);
    if (only.size > 0 && !only.has(skill) && old !== undefined) sections.push(old.trim());
    else sections.push(await skillSection(skill, temporary));
  }
  await replace(page, `${[intro, ...sections].join('\n\n')}\n`);
} finally {
  await rm(temporary, { recursive: true, force: true });
}
