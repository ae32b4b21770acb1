import { readFile, rename, writeFile } from 'node:fs/promises';
import { buildRoot } from '@cua-forge/sandbox/bubblewrap/build-root';
import { exportRoot, rootFolder } from '@cua-forge/sandbox/bubblewrap/root-file-system';
import type { BuildReport } from '@cua-forge/sandbox/build-report';
import { buildImage } from '@cua-forge/sandbox/docker/build-image';
import { connectHost } from '@cua-forge/sandbox/docker/docker-host';
import type { SandboxSettings } from '@cua-forge/sandbox/settings';
import { ForgeError } from '@cua-forge/spec/errors';
import { replayActions } from '@cua-forge/spec/replay-actions';
import type { Sandbox, SandboxInfo, SandboxProvider, SandboxTarget } from '@cua-forge/spec/sandbox-port';
import { RecordedActions } from '@cua-forge/spec/solution';
import { z } from 'zod';
import { createProvider } from './create-providers.ts';

export interface SandboxProgram {
  settings: SandboxSettings;
  /** Base image of a build; the portable one without. */
  base: string | undefined;
  /** Where Debian's packages come from. */
  mirror: string;
  json: boolean;
  write(text: string): void;
  report: BuildReport;
}

const print = ({ json, write }: SandboxProgram, result: object, text: string): void =>
  write(`${json ? JSON.stringify(result) : text}\n`);

/** Makes the image on every host, and for bubblewrap a root file system from the first one's. */
export async function buildCommand(
  program: SandboxProgram,
  target: SandboxTarget,
  provider: SandboxProvider['name'],
): Promise<void> {
  const { settings, base, report } = program;
  if (provider === 'bubblewrap' && !(await dockerAnswers(settings))) {
    const start = Date.now();
    const folder = await rootFolder(settings.data, settings.recipe, target);
    report.line("Docker does not answer, so the root is made from the distribution's packages.");
    const { built: made } = await buildRoot(
      { recipe: settings.recipe, target, folder, mirror: program.mirror },
      report,
    );
    const seconds = (Date.now() - start) / 1000;
    print(
      program,
      { built: [{ host: 'local', image: folder, built: made, seconds }] },
      made ? `Built ${folder} in ${seconds.toFixed(0)} s.` : `${folder} is there already.`,
    );
    return;
  }
  const built: { host: string; image: string; built: boolean; seconds: number }[] = [];
  const hosts = provider === 'docker' ? settings.hosts : settings.hosts.slice(0, 1);
  for (const one of hosts) {
    const host = connectHost(one, settings);
    const start = Date.now();
    const made = await buildImage(host, { folder: settings.recipe, target, base }, report);
    let fresh = made.built;
    if (provider === 'bubblewrap') {
      const folder = await rootFolder(settings.data, settings.recipe, target);
      const { built: unpacked } = await exportRoot(host, { image: made.image, folder }, report);
      fresh ||= unpacked;
    }
    built.push({ host: one.url, image: made.image, built: fresh, seconds: (Date.now() - start) / 1000 });
  }
  if (built.length === 0) throw new ForgeError('input.invalid', 'FORGE_SANDBOX_HOSTS names no host.');
  print(
    program,
    { built },
    built
      .map(({ host, image, built: made, seconds }) =>
        made ? `Built ${image} on ${host} in ${seconds.toFixed(0)} s.` : `${image} is there already on ${host}.`,
      )
      .join('\n'),
  );
}

/** Whether the first daemon can be used. */
async function dockerAnswers({ hosts, ...settings }: SandboxSettings): Promise<boolean> {
  const [first] = hosts;
  if (first === undefined) return false;
  return connectHost(first, settings)
    .docker.ping()
    .then(
      () => true,
      () => false,
    );
}

async function fromBoth(
  { settings }: SandboxProgram,
  ask: (provider: SandboxProvider) => Promise<string[] | SandboxInfo[]>,
): Promise<{ found: (string | SandboxInfo)[]; missing: string[] }> {
  const found: (string | SandboxInfo)[] = [];
  const missing: string[] = [];
  for (const name of ['docker', 'bubblewrap'] as const) {
    try {
      found.push(...(await ask(createProvider(name, settings))));
    } catch (error) {
      // A machine without Docker still has the other.
      if (!(error instanceof ForgeError && error.code === 'tool.missing')) throw error;
      missing.push(error.message);
    }
  }
  return { found, missing };
}

export async function listCommand(program: SandboxProgram): Promise<void> {
  const { found, missing } = await fromBoth(program, (provider) => provider.list());
  const sandboxes = found.filter((one) => typeof one !== 'string');
  const lines = sandboxes.map(
    ({ id, provider, host, state, createdAt, lease }) =>
      `${id}  ${provider.padEnd(10)}  ${state.padEnd(7)}  ${new Date(createdAt).toISOString()}  ${host}  ${lease}`,
  );
  print(program, { sandboxes, missing }, [...(lines.length > 0 ? lines : ['No sandboxes.']), ...missing].join('\n'));
}

export async function sweepCommand(program: SandboxProgram, maxAgeMs: number): Promise<void> {
  const { found, missing } = await fromBoth(program, (provider) => provider.sweep({ maxAgeMs }));
  print(
    program,
    { ended: found, missing },
    [found.length === 0 ? 'Nothing was left behind.' : `Ended: ${found.join(', ')}.`, ...missing].join('\n'),
  );
}

/** Does recorded actions on a running sandbox, or on a new one that ends with it. */
export async function replayCommand(
  program: SandboxProgram,
  request: {
    provider: SandboxProvider['name'];
    target: SandboxTarget;
    file: string;
    id: string | undefined;
    /** Where a picture of the end goes. */
    screenshot: string | undefined;
  },
): Promise<void> {
  const recorded = await readRecording(request.file);
  const provider = createProvider(request.provider, program.settings);
  const own = request.id === undefined;
  program.report.update('Starting a sandbox');
  const sandbox =
    request.id === undefined
      ? await provider.start({ target: request.target, ...recorded.screen, lease: 'forge sandbox replay' })
      : await provider.attach(request.id);
  const start = Date.now();
  try {
    await replayActions(sandbox, recorded, {
      onAction: (done, of, action) => {
        const seconds = (Date.now() - start) / 1000;
        const left = done === 0 ? '' : `, about ${Math.ceil((seconds / done) * (of - done))} s left`;
        program.report.update(`Action ${done + 1} of ${of}, ${Math.round(seconds)} s${left}: ${action.do}`);
      },
    });
    if (request.screenshot !== undefined) {
      const { bytes } = await sandbox.screenshot();
      await writeFile(`${request.screenshot}.new`, bytes);
      await rename(`${request.screenshot}.new`, request.screenshot);
    }
  } finally {
    if (own) await sandbox.close();
    else sandbox.detach();
  }
  const seconds = (Date.now() - start) / 1000;
  print(
    program,
    { sandbox: sandbox.id, actions: recorded.actions.length, seconds },
    `${recorded.actions.length} actions in ${seconds.toFixed(1)} s.`,
  );
}

async function readRecording(file: string): Promise<RecordedActions> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ForgeError('file.unreadable', `${file} cannot be read.`, { cause });
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ForgeError('input.invalid', `${file} is not JSON.`, { cause });
  }
  const parsed = RecordedActions.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ForgeError('input.invalid', `${file} is no recording: ${z.prettifyError(parsed.error)}`, {
    fix: 'Record one on the page of a desktop, or with `forge sandbox view ID --record`.',
  });
}

/** Gives commands of `lines` to a shell inside, one after the other; a new sandbox ends with it. Gives the last exit code. */
export async function shellCommand(
  program: SandboxProgram,
  request: {
    provider: SandboxProvider['name'];
    target: SandboxTarget;
    id: string | undefined;
    /** Asked once the sandbox is ready. */
    lines: () => AsyncIterable<string>;
    prompt: (text: string) => void;
  },
): Promise<number> {
  const provider = createProvider(request.provider, program.settings);
  const own = request.id === undefined;
  program.report.update('Starting a sandbox');
  const sandbox: Sandbox = own
    ? await provider.start({ target: request.target, lease: 'forge sandbox shell' })
    : await provider.attach(request.id ?? '');
  program.report.line(
    `Sandbox ${sandbox.id} (${sandbox.screen.width} x ${sandbox.screen.height}). Ctrl+D ${own ? 'ends it' : 'leaves it'}.`,
  );
  let code = 0;
  try {
    request.prompt('desktop$ ');
    for await (const line of request.lines()) {
      const done = await sandbox.shell(line, {
        timeoutMs: 600_000,
        onOutput: (_stream, text) => program.write(text),
      });
      code = done.exitCode;
      if (done.restarted) break;
      request.prompt('desktop$ ');
    }
  } finally {
    if (own) await sandbox.close();
    else sandbox.detach();
  }
  return code;
}
