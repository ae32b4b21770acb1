import { Failure, ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import type { PortType } from '@cua-forge/spec/port-type';
import type { ArtifactStore } from '@cua-forge/spec/store-port';
import {
  HiddenAnswers,
  Rubric,
  SetupOperation,
  SetupScript,
  Table,
  TaskPackage,
  TaskSpecification,
  Workbook,
} from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';

const schemas: Record<PortType, z.ZodType> = {
  any: Json,
  json: Json,
  text: z.string(),
  number: z.number(),
  boolean: z.boolean(),
  list: z.array(Json),
  table: Table,
  file: FileValue,
  workbook: Workbook,
  spec: TaskSpecification,
  hidden: HiddenAnswers,
  operation: SetupOperation,
  script: SetupScript,
  rubric: Rubric,
  package: TaskPackage,
  error: Failure,
};

/**
 * Checks a value that a person gave for an input.
 * @throws ForgeError `input.invalid` naming the input, what it must be and what is wrong with it
 */
export async function checkInput(name: string, type: PortType, value: Json, artifacts: ArtifactStore): Promise<void> {
  const parsed = schemas[type].safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const path = issue?.path.map(String).join('.') ?? '';
    throw new ForgeError(
      'input.invalid',
      `Input "${name}" must be of type ${type}: ${path === '' ? '' : `${path}: `}${issue?.message ?? 'it is not'}.`,
      {
        fix:
          type === 'file'
            ? `Upload the file first (POST /api/files) and give what that answers with.`
            : `Give "${name}" a value of type ${type}.`,
        place: { port: name },
      },
    );
  }
  if (type !== 'file') return;
  const file = FileValue.parse(value);
  if (!(await artifacts.has(file.hash))) {
    throw new ForgeError('input.invalid', `Input "${name}": the file "${file.name}" is not in the store.`, {
      fix: 'Upload the file again.',
      place: { port: name },
    });
  }
}
