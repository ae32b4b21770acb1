import { ForgeError } from '@cua-forge/spec/errors';
import { unzipSync } from 'fflate';

const MOST_UNPACKED = 300 * 1024 * 1024;

/**
 * Members of a zip archive by name.
 * @throws ForgeError `file.unreadable` for what is no archive or unpacks to too much
 */
export function readArchive(
  name: string,
  bytes: Uint8Array,
  wanted: (member: string) => boolean,
): Map<string, Uint8Array> {
  let size = 0;
  try {
    const members = unzipSync(bytes, {
      filter: (file) => {
        if (!wanted(file.name)) return false;
        size += file.originalSize;
        if (size > MOST_UNPACKED) throw new Error(`it unpacks to more than ${MOST_UNPACKED} bytes`);
        return true;
      },
    });
    return new Map(Object.entries(members));
  } catch (cause) {
    throw new ForgeError(
      'file.unreadable',
      `${name} cannot be unpacked: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** Part that a part refers to, by the id of the relation. */
export function relationTarget(part: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const steps = part.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(step);
  }
  return steps.join('/');
}
