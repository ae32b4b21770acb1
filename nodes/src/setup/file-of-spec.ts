import { ForgeError } from '@cua-forge/spec/errors';
import type { RequiredFile, TaskSpecification } from '@cua-forge/spec/task';

/** The required file with this id. @throws ForgeError `params.invalid` that lists the ids there are */
export function fileOfSpec(spec: TaskSpecification, id: string): RequiredFile {
  const file = spec.files.find((one) => one.id === id);
  if (file !== undefined) return file;
  throw new ForgeError('params.invalid', `The specification has no file with the id ${id}.`, {
    fix: `Set the param file to one of ${spec.files.map((one) => one.id).join(', ')}.`,
  });
}
