import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import { putJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';
import { inspect } from './read-document.ts';

/** Who published a skill that comes with the product. */
const shippedBy = 'shipped';

/** Document id → hash of the version that was last put into the store by this function. */
const Shipped = z.record(z.string(), z.string());
type Shipped = z.infer<typeof Shipped>;

async function readShipped(file: string): Promise<Shipped> {
  try {
    return Shipped.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Without the file no stored document counts as unedited, so none is overwritten.
    return {};
  }
}

async function skillFolders(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort();
  } catch {
    return [];
  }
}

/** Publishes the newest revision of a skill, unless somebody chose what is published. */
async function publishShipped({ store: { meta }, now }: Pick<Services, 'store' | 'now'>, id: string): Promise<void> {
  const [published] = await meta.publicationsOf([id]);
  if (published !== undefined && published.by !== shippedBy) return;
  const record = await meta.getDocument(id);
  if (record === null) return;
  await meta.publish({ documentId: id, revision: record.revision, note: '', by: shippedBy, at: now() });
}

export interface ShipReport {
  added: string[];
  updated: string[];
  /** Left alone because somebody edited them. */
  edited: string[];
  /** Folders whose document is not one. */
  broken: string[];
}

/**
 * Puts the skills that come with the product into the document store: new ones are added, ones that nobody edited are brought up to date,
 * edited ones are left alone. What it puts there is published. `memory` is the file that remembers what was put there.
 */
export async function shipSkills(
  services: Pick<Services, 'store' | 'kinds' | 'log' | 'now' | 'env'>,
  memory: string,
): Promise<ShipReport> {
  const { store, kinds, log, now, env } = services;
  const shipped = await readShipped(memory);
  const report: ShipReport = { added: [], updated: [], edited: [], broken: [] };
  for (const folder of await skillFolders(env.skillsFolder)) {
    const file = join(env.skillsFolder, folder, 'workflow.yaml');
    try {
      const source = await readFile(file, 'utf8').catch(() => null);
      if (source === null) continue;
      const { document, findings } = inspect(source, kinds, file);
      if (document === null || document.id !== folder) {
        log.error({ file, findings }, 'a shipped skill cannot be read, or its id is not the name of its folder');
        report.broken.push(folder);
        continue;
      }
      const hash = await putJson(store.artifacts, document);
      const stored = await store.meta.getDocument(document.id);
      if (stored === null || (stored.hash !== hash && stored.hash === shipped[document.id])) {
        await store.meta.saveDocument(document.id, document.title, source, hash, stored?.revision ?? null, now());
        (stored === null ? report.added : report.updated).push(document.id);
      } else if (stored.hash !== hash) {
        report.edited.push(document.id);
        continue;
      }
      shipped[document.id] = hash;
      await publishShipped(services, document.id);
    } catch (thrown) {
      log.error({ file, err: toForgeError(thrown) }, 'a shipped skill could not be put into the store');
      report.broken.push(folder);
    }
  }
  await mkdir(dirname(memory), { recursive: true });
  const temporary = `${memory}.${process.pid}.tmp`;
  await writeFile(temporary, `${JSON.stringify(shipped, null, 2)}\n`);
  await rename(temporary, memory);
  return report;
}
