import { readdir, readFile } from 'node:fs/promises';

/** What tells a process from a later one of the same id: when it began, in ticks since the machine started. Null when it is gone. */
export async function startOf(pid: number): Promise<string | null> {
  return (await fieldsOf(pid))?.[19] ?? null;
}

export async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    if ((await fieldsOf(Number(name)))?.[1] === String(pid)) found.push(Number(name));
  }
  return found;
}

/** The fields of /proc/PID/stat from the state on; the name before may hold blanks. */
async function fieldsOf(pid: number): Promise<string[] | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ') ?? null;
  return fields === null || fields[0] === 'Z' ? null : fields;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
