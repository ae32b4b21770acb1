import { roleIncludes } from '@cua-forge/spec/api-route';
import type { User } from './user.ts';

/** Where the files that only graders may see lie in a package. */
const hiddenFolder = 'hidden/';
/** Stands for the hash of a value that is kept back; no value has it. */
export const keptBack = '0'.repeat(64);

/** Whether somebody may see expected answers and reference solutions. Who looks at tasks as a solver would may not. */
export const seesHidden = (user: User | null): boolean => user !== null && roleIncludes(user.role, 'author');

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** A file of a package (`{path, file, …}`) that lies in its hidden folder. */
const isHiddenFile = (value: unknown): boolean =>
  isObject(value) && typeof value.path === 'string' && 'file' in value && value.path.startsWith(hiddenFolder);

/** A reference to a value of a hidden port, or to one that was made from such. */
const isHiddenRef = (value: Record<string, unknown>): boolean =>
  value.hidden === true && typeof value.hash === 'string';

/**
 * The same JSON without what leads to hidden values: references to them lose their hash and size, and lists of a package's files lose the hidden ones. Where there is
 * nothing of the kind, the value itself.
 */
export function withoutHidden(value: unknown): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((each) => !isHiddenFile(each));
    const members = kept.map(withoutHidden);
    return kept.length === value.length && members.every((each, index) => each === value[index]) ? value : members;
  }
  if (!isObject(value)) return value;
  if (isHiddenRef(value)) return { hash: keptBack, size: 0, hidden: true };
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [name, withoutHidden(member)]);
  return members.every(([name, member]) => member === value[name]) ? value : Object.fromEntries(members);
}

/** The bytes of a stored file or value as somebody without the right to hidden values gets them: JSON that names such is masked. */
export function bytesWithoutHidden(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x7b && bytes[0] !== 0x5b) return bytes;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const masked = withoutHidden(value);
    return masked === value ? bytes : new TextEncoder().encode(JSON.stringify(masked));
  } catch {
    return bytes;
  }
}
