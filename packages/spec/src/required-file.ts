import { ForgeError } from './errors.ts';
import type { RequiredFile, TaskSpecification } from './task.ts';

/** Media type of each type of required file. */
export const mediaTypeOf: Record<RequiredFile['type'], string> = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv',
  text: 'text/plain',
};

/** Last part of a path in the sandbox. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * A required file of a specification.
 * @throws ForgeError `input.invalid` when the specification has no such file, or one of another type
 */
export function requiredFile<T extends RequiredFile['type']>(
  spec: TaskSpecification,
  id: string,
  type: T,
): Extract<RequiredFile, { type: T }> {
  const file = spec.files.find((candidate) => candidate.id === id);
  if (file === undefined) {
    const known = spec.files.map((candidate) => candidate.id).join(', ');
    throw new ForgeError('input.invalid', `The specification has no required file "${id}"; it has: ${known}.`, {
      fix: 'Set the param file to one of these ids.',
    });
  }
  if (!hasType(file, type)) {
    throw new ForgeError('input.invalid', `The required file "${id}" is of type ${file.type}, not ${type}.`, {
      fix: `Use the preparer for ${file.type}.`,
    });
  }
  return file;
}

function hasType<T extends RequiredFile['type']>(
  file: RequiredFile,
  type: T,
): file is Extract<RequiredFile, { type: T }> {
  return file.type === type;
}
