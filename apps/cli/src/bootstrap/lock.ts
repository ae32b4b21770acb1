import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';
import { processIdentity } from './process-identity.ts';

/** Where a running instance can be reached. */
export const Addresses = z.strictObject({
  studio: z.url(),
  temporal: z.string(),
  namespace: z.string(),
  temporalUi: z.string().nullable(),
});
export type Addresses = z.infer<typeof Addresses>;

/** The lock file of a data folder. `addresses` is null until the instance is ready. */
export const Instance = z.strictObject({
  pid: z.number().int().positive(),
  /** Start time of that process, so that a reused pid is not taken for it. */
  identity: z.string(),
  startedAt: z.iso.datetime(),
  /** `start` serves until it is stopped and may be used by others; `command` serves one command and ends with it. */
  purpose: z.enum(['start', 'command']),
  addresses: Addresses.nullable(),
});
export type Instance = z.infer<typeof Instance>;

export interface InstanceLock {
  /** Publishes where the instance can be reached. */
  publish(addresses: Addresses): Promise<void>;
  release(): Promise<void>;
}

export type LockResult = { held: true; lock: InstanceLock } | { held: false; by: Instance };

const lockPath = (data: string): string => join(data, 'instance.json');

/** The instance that lives in a data folder, or null: a lock left by a process that is gone does not count. */
export async function runningInstance(data: string): Promise<Instance | null> {
  const found = await readLock(lockPath(data));
  return found?.instance != null && (await isAlive(found.instance)) ? found.instance : null;
}

/** Takes the data folder for this process, or tells who has it. Of several that try at once exactly one gets it. */
export async function takeLock(
  data: string,
  purpose: Instance['purpose'],
  pid: number = process.pid,
): Promise<LockResult> {
  await mkdir(data, { recursive: true });
  const path = lockPath(data);
  const identity = await processIdentity(pid);
  if (identity === null) throw new ForgeError('internal', `Process ${pid} has no start time.`);
  const own: Instance = { pid, identity, startedAt: new Date().toISOString(), purpose, addresses: null };
  for (let tries = 0; tries < 20; tries += 1) {
    if (await createExclusively(path, own)) return { held: true, lock: lockOf(path, own) };
    const found = await readLock(path);
    if (found === null) continue;
    if (found.instance !== null && (await isAlive(found.instance))) return { held: false, by: found.instance };
    await setAside(path, found.text);
  }
  throw new ForgeError('internal', `The lock file ${path} changes hands again and again.`, {
    fix: 'Wait a moment and start again.',
  });
}

function lockOf(path: string, own: Instance): InstanceLock {
  return {
    async publish(addresses) {
      const temporary = `${path}.${randomUUID()}`;
      await writeFile(temporary, JSON.stringify({ ...own, addresses }));
      await rename(temporary, path);
    },
    async release() {
      const found = await readLock(path);
      if (found?.instance?.pid === own.pid && found.instance.identity === own.identity) await rm(path, { force: true });
    },
  };
}

/** Linking a finished file into place is atomic and fails when one is there, so no reader ever sees half a lock. */
async function createExclusively(path: string, own: Instance): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, JSON.stringify(own));
  try {
    await link(temporary, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Moves a dead lock out of the way; if another process replaced it in the meantime, its lock is put back. */
async function setAside(path: string, seen: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
    if ((await readFile(aside, 'utf8')) !== seen) await link(aside, path).catch(() => undefined);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  } finally {
    await rm(aside, { force: true });
  }
}

async function readLock(path: string): Promise<{ text: string; instance: Instance | null } | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  try {
    return { text, instance: Instance.parse(JSON.parse(text)) };
  } catch {
    return { text, instance: null };
  }
}

const isAlive = async (instance: Instance): Promise<boolean> =>
  (await processIdentity(instance.pid)) === instance.identity;
