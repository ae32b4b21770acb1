import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ForgeError } from '@cua-forge/spec/errors';
import type { SandboxTarget } from '@cua-forge/spec/sandbox-port';
import type Docker from 'dockerode';
import { pack } from 'tar-stream';
import { z } from 'zod';
import type { BuildReport } from '../build-report.ts';
import { type ImageRecipe, type RecipeFile, readLaid, readRecipe } from '../image-recipe.ts';
import { layEditor } from '../lay-editor.ts';
import { runScript } from '../run-script.ts';
import { buildFix } from './build-fix.ts';
import { type DockerHost, dockerError } from './docker-host.ts';

const portableBase = 'debian:bookworm-slim';
const ownBase = 'cua-forge-base:bookworm';

const Progress = z.looseObject({ stream: z.string().optional(), error: z.string().optional() });

/** Builds the image of a target unless there is one of the same content. */
export async function buildImage(
  host: DockerHost,
  request: { folder: string; target: SandboxTarget; base?: string | undefined },
  report: BuildReport,
): Promise<{ image: string; built: boolean }> {
  const recipe = await readRecipe(request.folder, request.target);
  try {
    if (await hasImage(host.docker, recipe.name)) return { image: recipe.name, built: false };
    const base = request.base ?? (await findBase(host, request.folder, report));
    if (request.target === 'full') await layEditor(request.folder, report);
    const laid = await readLaid(request.folder, request.target);
    await build(host.docker, recipe, { laid, target: request.target, base }, report);
  } catch (error) {
    throw dockerError(error, host.url, `build ${recipe.name}`);
  }
  return { image: recipe.name, built: true };
}

export async function hasImage(docker: Docker, name: string): Promise<boolean> {
  const found = await docker.listImages({ filters: { reference: [name] } });
  return found.length > 0;
}

async function findBase({ docker, local }: DockerHost, folder: string, report: BuildReport): Promise<string> {
  if (await hasImage(docker, portableBase)) return portableBase;
  if (await hasImage(docker, ownBase)) return ownBase;
  report.update(`Pulling ${portableBase}`);
  const pulled = await docker
    .pull(portableBase)
    .then((stream) => new Promise<Error | null>((resolve) => docker.modem.followProgress(stream, resolve)))
    .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
  if (pulled === null && (await hasImage(docker, portableBase))) return portableBase;
  if (!local)
    throw new ForgeError(
      'sandbox.unavailable',
      `${portableBase} could not be pulled: ${pulled?.message ?? 'no reason given'}`,
      {
        fix: `Make ${ownBase} on that machine with docker/desktop/make-base.sh.`,
      },
    );
  report.line(`${portableBase} could not be pulled, so a base is made from the distribution's packages.`);
  await runScript(join(folder, 'make-base.sh'), [ownBase], {
    what: 'Base',
    fix: 'It needs root, debootstrap and a Debian mirror. Or pull debian:bookworm-slim.',
    report,
  });
  return ownBase;
}

async function build(
  docker: Docker,
  recipe: ImageRecipe,
  { laid, target, base }: { laid: readonly RecipeFile[]; target: SandboxTarget; base: string },
  report: BuildReport,
): Promise<void> {
  const context = pack();
  for (const { path, bytes, mode } of [...recipe.files, ...laid])
    context.entry({ name: path, mode, mtime: new Date(0) }, bytes);
  context.finalize();
  const stream: NodeJS.ReadableStream = await docker.buildImage(Readable.from(context), {
    t: recipe.name,
    target,
    buildargs: { BASE_IMAGE: base },
    labels: { 'cua-forge.content': recipe.hash },
    forcerm: true,
  });
  const start = Date.now();
  let step = 'Step 0/?';
  let lines = 0;
  let last = '';
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(
      stream,
      (error: Error | null) => (error ? reject(buildFailed(recipe.name, `${error.message} (${last})`)) : resolve()),
      (event: unknown) => {
        const { stream: text = '', error } = Progress.catch({}).parse(event);
        if (error !== undefined) last = error;
        for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
          lines += 1;
          last = line.trim();
          step = /^Step \d+\/\d+/.exec(line)?.[0] ?? step;
        }
        const [done = 0, total = 0] = (/(\d+)\/(\d+)/.exec(step) ?? []).slice(1).map(Number);
        const seconds = (Date.now() - start) / 1000;
        const left = done > 1 ? `, about ${Math.ceil((seconds / (done - 1)) * (total - done + 1))} s left` : '';
        report.update(
          `${step.replace('/', ' of ')}, ${lines} lines, ${Math.round(seconds)} s, ${(lines / Math.max(1, seconds)).toFixed(0)} lines/s${left}: ${last.slice(0, 60)}`,
        );
      },
    );
  });
  if (!(await hasImage(docker, recipe.name))) throw buildFailed(recipe.name, last);
}

const buildFailed = (image: string, message: string): ForgeError => {
  const fix = buildFix(message);
  return new ForgeError(
    'sandbox.unavailable',
    `${image} could not be built: ${message}`,
    fix === undefined ? {} : { fix },
  );
};
