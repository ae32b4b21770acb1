import { readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { allPages } from '@cua-forge/api-client/all-pages';
import type { ApiClient } from '@cua-forge/api-client/api-client';
import { cuaGymOfPackage } from '@cua-forge/package-folder/cua-gym';
import { harborOfPackage, packageOfHarbor } from '@cua-forge/package-folder/harbor';
import { osworldOfPackage } from '@cua-forge/package-folder/osworld';
import {
  type FoundFile,
  filesOfTar,
  type LoadedPackage,
  packageOfFiles,
} from '@cua-forge/package-folder/package-files';
import { packageFolderName, packTar } from '@cua-forge/package-folder/package-folder';
import { indexRowOf, jsonLinesOf, parquetOf } from '@cua-forge/package-folder/package-index';
import { filesOfFolder } from '@cua-forge/package-folder/read-folder';
import { writeFolder } from '@cua-forge/package-folder/write-files';
import type { VerdictFilter } from '@cua-forge/spec/api/packages';
import { ForgeError } from '@cua-forge/spec/errors';
import { checkRunner } from './check-runner.ts';
import { exitCodes } from './exit-code.ts';
import { exportPackage } from './export-package.ts';
import { type Output, printResult } from './output.ts';

export const packageFormats = ['folder', 'tar', 'osworld', 'harbor', 'cua-gym'] as const;
export type PackageFormat = (typeof packageFormats)[number];

/** The evaluator of checks is bundled from this project's own sources. */
const projectFolder = join(import.meta.dirname, '../../../..');

const loadPackage = async (api: ApiClient, id: string): Promise<LoadedPackage> =>
  packageOfFiles(await filesOfTar(await api.packageArchive(id)));

/** Writes a file whole or not at all; answers with its absolute path. */
async function writeWhole(file: string, bytes: Uint8Array | string): Promise<string> {
  const target = resolve(file);
  await writeFile(`${target}.new`, bytes);
  await rename(`${target}.new`, target);
  return target;
}

export interface ExportRequest {
  id: string;
  folder: string;
  format: PackageFormat;
  /** Where OSWorld downloads the input files from; without it, the folder that they are written to. */
  filesUrl: string | undefined;
  /** Also a package that people rejected. */
  rejected: boolean;
}

/** Writes a package in one of the formats. Exit code 1 when the format cannot hold all of it, which is told. */
export async function exportAs(api: ApiClient, output: Output, request: ExportRequest): Promise<number> {
  const { id, folder, format, filesUrl } = request;
  if (!request.rejected) await refuseRejected(api, id);
  const done = (path: string, unmapped: string[] = []): number => {
    printResult(output, { id, format, path, unmapped }, () =>
      [path, ...unmapped.map((what) => `  not in ${format}: ${what}`)].join('\n'),
    );
    return unmapped.length === 0 ? exitCodes.done : exitCodes.failed;
  };
  if (format === 'folder') return done(await exportPackage(api, id, resolve(folder)));
  const loaded = await loadPackage(api, id);
  const name = packageFolderName(loaded.package);
  if (format === 'harbor')
    return done(await writeFolder(join(folder, name), harborOfPackage(loaded, await checkRunner(projectFolder))));
  if (format === 'cua-gym')
    return done(await writeFolder(join(folder, name), cuaGymOfPackage(loaded, await checkRunner(projectFolder))));
  if (format === 'tar') {
    const bytes = await packTar(loaded.package, async ({ hash }) => loaded.bytes.get(hash) ?? new Uint8Array());
    const target = join(folder, `${name}.tar`);
    return done(await writeWhole(target, bytes));
  }
  const { task, unmapped } = await osworldOfPackage(
    loaded,
    filesUrl ?? `file://${resolve(folder, name).split('/').map(encodeURIComponent).join('/')}`,
  );
  const path = await writeFolder(join(folder, name), [
    { path: 'task.json', bytes: `${JSON.stringify(task, null, 2)}\n` },
    ...loaded.package.files
      .filter(({ path }) => path.startsWith('files/'))
      .map(({ path, file }) => ({ path, bytes: loaded.bytes.get(file.hash) ?? '' })),
  ]);
  return done(path, unmapped);
}

/** @throws ForgeError `input.invalid` when people rejected the package */
async function refuseRejected(api: ApiClient, id: string): Promise<void> {
  const [review] = (await api.packageReviews(id)).reviews;
  if (review?.verdict !== 'rejected') return;
  const note = review.note === '' ? '' : `, ${review.note}`;
  throw new ForgeError('input.invalid', `${review.by} rejected package "${id}": ${review.reason}${note}.`, {
    fix: 'Give --rejected to export it all the same.',
  });
}

/** Takes up one package from a folder or a .tar; answers with its id. */
export async function takeUp(api: ApiClient, source: string): Promise<string> {
  const loaded = packageOf(await filesOf(source));
  const archive = await packTar(loaded.package, async ({ hash }) => loaded.bytes.get(hash) ?? new Uint8Array());
  return (await api.importPackage(new Uint8Array(archive))).id;
}

/** Takes up packages from folders (of the product's own form, or Harbor's) and .tar files. */
export async function importPackages(api: ApiClient, output: Output, sources: readonly string[]): Promise<number> {
  const imported: { id: string; source: string }[] = [];
  for (const source of sources) {
    imported.push({ id: await takeUp(api, source), source });
    output.reporter.line(`${imported.length} of ${sources.length} taken up`);
  }
  printResult(output, imported, (all) => all.map(({ id }) => id).join('\n'));
  return exitCodes.done;
}

const packageOf = (files: FoundFile[]): LoadedPackage =>
  files.some(({ path }) => path === 'task.toml') ? packageOfHarbor(files) : packageOfFiles(files);

async function filesOf(source: string): Promise<FoundFile[]> {
  const facts = await stat(source).catch((cause: unknown) => {
    throw new ForgeError('input.invalid', `There is no ${source}.`, { cause });
  });
  return facts.isDirectory() ? filesOfFolder(resolve(source)) : filesOfTar(await readFile(source));
}

/** Writes an index of packages as JSON lines or, by its ending, as Parquet. */
export async function indexPackages(
  api: ApiClient,
  output: Output,
  file: string,
  { limit, ...filter }: { skill?: string; batchId?: string; verdict?: VerdictFilter; limit: number },
): Promise<number> {
  if (!/\.(jsonl|parquet)$/.test(file))
    throw new ForgeError('input.invalid', `${file} ends in neither .jsonl nor .parquet.`, {
      fix: 'The ending of the name says what is written.',
    });
  const records = (
    await allPages(
      (page) => api.packages({ ...filter, ...page, limit: Math.min(limit, 1_000) }),
      ({ packages }) => packages,
    )
  ).slice(0, limit);
  const started = Date.now();
  const rows = [];
  for (const [index, { id }] of records.entries()) {
    rows.push(indexRowOf(await loadPackage(api, id)));
    const seconds = (Date.now() - started) / 1_000;
    if (seconds > 2 && (index + 1) % 50 === 0) {
      const left = (seconds / (index + 1)) * (records.length - index - 1);
      output.reporter.line(`${index + 1} of ${records.length} packages · ${Math.ceil(left)} s left`);
    }
  }
  const path = await writeWhole(file, file.endsWith('.parquet') ? parquetOf(rows) : jsonLinesOf(rows));
  printResult(output, { path, packages: rows.length }, () => `${path}: ${rows.length} packages`);
  return exitCodes.done;
}

export async function exportRun(api: ApiClient, output: Output, id: string, file: string): Promise<number> {
  const path = await writeWhole(file, await api.runArchive(id));
  printResult(output, { id, path }, () => path);
  return exitCodes.done;
}

export async function importRun(api: ApiClient, output: Output, file: string): Promise<number> {
  const run = await api.importRun(new Uint8Array(await readFile(file)));
  printResult(output, run, ({ id, state }) => `${id}: ${state}`);
  return exitCodes.done;
}

const allDocuments = (api: ApiClient) =>
  allPages(
    (page) => api.documents(page),
    ({ documents }) => documents,
  );

export async function listDocuments(api: ApiClient, output: Output): Promise<number> {
  const documents = await allDocuments(api);
  printResult(output, documents, (all) =>
    all.map(({ id, revision, title }) => `${id}  ${revision}  ${title}`).join('\n'),
  );
  return exitCodes.done;
}

/** Writes a document as it is stored: the same text gives the same file. */
export async function exportDocument(api: ApiClient, output: Output, id: string, file: string): Promise<number> {
  const { record } = await api.document(id);
  const path = await writeWhole(file, record.source);
  printResult(output, { id, revision: record.revision, path }, () => path);
  return exitCodes.done;
}

/** Stores a document from a file; one of that id that is there already is replaced only when asked for. */
export async function importDocument(
  api: ApiClient,
  output: Output,
  { file, id, replace }: { file: string; id: string; replace: boolean },
): Promise<number> {
  const source = await readFile(file, 'utf8');
  const known = (await allDocuments(api)).find((one) => one.id === id);
  if (known !== undefined && !replace)
    throw new ForgeError('document.conflict', `There is a document '${id}' already, at revision ${known.revision}.`, {
      fix: 'Give --replace to make this its next revision, or --as to store it under another id.',
    });
  const { record, findings } = await api.saveDocument(id, { source, expectedRevision: known?.revision ?? null });
  printResult(output, { id, revision: record.revision, findings }, () =>
    [`${id}: revision ${record.revision}`, ...findings.map(({ message }) => `  ${message}`)].join('\n'),
  );
  return exitCodes.done;
}
