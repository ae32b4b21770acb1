import { ForgeError } from '@cua-forge/spec/errors';
import type { SetupTask } from '@cua-forge/spec/setup-report';
import { SetupOperation, type TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';

const SetupJson = z.strictObject({ operations: z.array(SetupOperation) });

/** What a desktop is prepared from, of a task package. @throws ForgeError `input.invalid` when its setup is not there or damaged */
export async function setupOfPackage(
  taskPackage: TaskPackage,
  read: (file: FileValue) => Promise<Uint8Array>,
): Promise<SetupTask> {
  const text = async (path: string): Promise<string> => {
    const found = taskPackage.files.find((one) => one.path === path);
    if (found === undefined) throw new ForgeError('input.invalid', `The package has no ${path}.`);
    return new TextDecoder().decode(await read(found.file));
  };
  let json: unknown;
  try {
    json = JSON.parse(await text('setup/setup.json'));
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    throw new ForgeError('input.invalid', 'setup/setup.json of the package is not JSON.', { cause });
  }
  const parsed = SetupJson.safeParse(json);
  if (!parsed.success)
    throw new ForgeError('input.invalid', `setup/setup.json is not right: ${z.prettifyError(parsed.error)}`);
  return { operations: parsed.data.operations, script: await text('setup/setup.sh'), read };
}
