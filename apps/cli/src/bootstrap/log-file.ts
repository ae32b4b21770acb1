import { appendFileSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface LogFile {
  readonly path: string;
  /** Appends one line with its time. */
  write(line: string): void;
}

interface LogOptions {
  maxBytes?: number;
  /** Older files kept as `name.1` (newest) to `name.N`. */
  keep?: number;
}

/** A log that is moved to `path.1` when it would grow over `maxBytes` (default 10 MB, two older ones kept). A full disk loses lines, never the caller. */
export function openLog(path: string, { maxBytes = 10_000_000, keep = 2 }: LogOptions = {}): LogFile {
  mkdirSync(dirname(path), { recursive: true });
  let size = sizeOf(path);
  const rotate = (): void => {
    rmSync(`${path}.${keep}`, { force: true });
    for (let age = keep - 1; age >= 1; age -= 1) moveIfThere(`${path}.${age}`, `${path}.${age + 1}`);
    moveIfThere(path, `${path}.1`);
    size = 0;
  };
  return {
    path,
    write(line) {
      const entry = `${new Date().toISOString()} ${line}\n`;
      try {
        if (size > 0 && size + entry.length > maxBytes) rotate();
        appendFileSync(path, entry);
        size += Buffer.byteLength(entry);
      } catch {
        size = sizeOf(path);
      }
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
