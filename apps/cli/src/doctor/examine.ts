import { constants } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { defaultPorts, freePort } from '../bootstrap/ports.ts';
import type { Settings } from '../bootstrap/settings.ts';
import { findTemporalBinary } from '../bootstrap/temporal-binary.ts';
import { temporalVersion } from '../bootstrap/temporal-release.ts';
import { findModelKit } from '../models/model-kit.ts';
import { findTool } from './find-tool.ts';
import { reportModels } from './model-provider.ts';
import { oldestNode, type ToolPart, toolParts, wantedDiskBytes } from './parts.ts';
import type { DoctorReport, PartReport } from './report.ts';

/** What the machine is asked to do: run the product, or its tests too. */
export type Use = 'start' | 'test';

/** Looks at every part. Changes nothing. */
export async function examine(
  settings: Settings,
  use: Use,
  tools: readonly ToolPart[] = toolParts,
): Promise<DoctorReport> {
  const parts = await Promise.all([
    reportNode(),
    reportNpm(settings),
    reportTemporal(settings),
    ...tools.map((tool) => reportTool(tool, settings)),
    reportDisk(settings),
    reportData(settings),
    reportPorts(),
    reportModels(settings.env),
    ...(use === 'test' ? [reportModelKit(settings)] : []),
  ]);
  const packages = missingPackages(parts, tools);
  const needed = (part: PartReport): boolean => part.need === 'start' || (use === 'test' && part.need === 'test');
  return {
    ok: parts.every((part) => part.ok || !needed(part)),
    parts,
    install: packages.length === 0 ? null : `sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`,
  };
}

/** The Debian packages that bring what a report says is missing. */
export function missingPackages(parts: readonly PartReport[], tools: readonly ToolPart[] = toolParts): string[] {
  return tools.filter((tool) => parts.some((part) => part.id === tool.id && !part.ok)).flatMap((tool) => tool.apt);
}

async function reportNode(): Promise<PartReport> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const ok = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  return {
    id: 'node',
    title: 'Node.js',
    purpose: 'runs everything',
    need: 'start',
    ok,
    found: process.versions.node,
    where: process.execPath,
    fix: ok ? null : `Install Node ${oldestNode.join('.')} or newer from https://nodejs.org.`,
  };
}

async function reportNpm({ env }: Settings): Promise<PartReport> {
  const found = await findTool(
    { commands: ['npm'], versionArgs: ['--version'], versionPattern: /(\d+\.\d+\.\d+)/ },
    env,
  );
  return {
    id: 'npm',
    title: 'npm',
    purpose: 'installs the dependencies',
    need: 'start',
    ok: found !== null,
    found: found?.version ?? null,
    where: found?.path ?? null,
    fix: found === null ? 'It comes with Node.js from https://nodejs.org.' : null,
  };
}

async function reportTemporal({ cluster, env }: Settings): Promise<PartReport> {
  const base = { id: 'temporal', title: 'Temporal', purpose: 'runs workflows durably', need: 'start' as const };
  if (cluster !== null) {
    return {
      ...base,
      ok: true,
      found: `cluster at ${cluster.address}, namespace ${cluster.namespace}`,
      where: null,
      fix: null,
    };
  }
  const binary = await findTemporalBinary(env);
  if (binary !== null) return { ...base, ok: true, found: binary.version, where: binary.path, fix: null };
  return {
    ...base,
    ok: true,
    found: 'not there yet',
    where: null,
    fix: `Version ${temporalVersion} is fetched at the first start, or by \`forge doctor --install\`.`,
  };
}

async function reportTool(tool: ToolPart, { env }: Settings): Promise<PartReport> {
  const found = await findTool(tool, env);
  const { id, title, purpose, need } = tool;
  const fix = `sudo apt-get install -y --no-install-recommends ${tool.apt.join(' ')} (Debian, Ubuntu); elsewhere: ${tool.elsewhere}`;
  return {
    id,
    title,
    purpose,
    need,
    ok: found !== null,
    found: found?.version ?? null,
    where: found?.path ?? null,
    fix: found === null ? fix : null,
  };
}

async function reportDisk({ data }: Settings): Promise<PartReport> {
  const folder = await nearestExisting(data);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  return {
    id: 'disk',
    title: 'Disk space',
    purpose: 'dependencies, Temporal and packages',
    need: 'start',
    ok: free >= wantedDiskBytes,
    found: `${(free / 1e9).toFixed(1)} GB free`,
    where: folder,
    fix:
      free >= wantedDiskBytes
        ? null
        : `Free at least ${wantedDiskBytes / 1e9} GB, or set FORGE_DATA to a folder on another disk.`,
  };
}

async function nearestExisting(folder: string): Promise<string> {
  for (let path = folder; ; path = dirname(path)) {
    try {
      await access(path);
      return path;
    } catch {
      if (dirname(path) === path) return path;
    }
  }
}

async function reportData({ data }: Settings): Promise<PartReport> {
  const writable = await mkdir(data, { recursive: true })
    .then(() => access(data, constants.W_OK))
    .then(
      () => true,
      () => false,
    );
  return {
    id: 'data',
    title: 'Data folder',
    purpose: 'keeps runs, artifacts and logs',
    need: 'start',
    ok: writable,
    found: writable ? 'writable' : null,
    where: data,
    fix: writable ? null : 'Make it writable, or set FORGE_DATA to a folder that is.',
  };
}

async function reportPorts(): Promise<PartReport> {
  const wanted = Object.entries(defaultPorts);
  const taken: string[] = [];
  for (const [name, port] of wanted) if ((await freePort(port)) !== port) taken.push(`${port} (${name})`);
  return {
    id: 'ports',
    title: 'Ports',
    purpose: 'studio and Temporal on 127.0.0.1',
    need: 'optional',
    ok: true,
    found: taken.length === 0 ? `${wanted.map(([, port]) => port).join(', ')} are free` : `taken: ${taken.join(', ')}`,
    where: null,
    fix: taken.length === 0 ? null : 'The next free ones are used and printed.',
  };
}

/** Real models for the tests; where they cannot be had, those tests are left out and say so. */
async function reportModelKit({ env }: Settings): Promise<PartReport> {
  const kit = await findModelKit(env);
  const ready = 'python' in kit;
  return {
    id: 'model-kit',
    title: 'Models for tests',
    purpose: 'tests ask a small real model through every provider',
    need: 'optional',
    ok: ready,
    found: ready ? 'ready' : null,
    where: ready ? kit.weights : null,
    fix: ready ? null : `Not here (${kit.missing}); npm test installs it where pip and npm work.`,
  };
}
