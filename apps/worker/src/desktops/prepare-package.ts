import { prepareDesktop } from '@cua-forge/desktop/prepare-desktop';
import { setupOfPackage } from '@cua-forge/desktop/setup-task';
import { ForgeError } from '@cua-forge/spec/errors';
import type { Sandbox } from '@cua-forge/spec/sandbox-port';
import type { Store } from '@cua-forge/spec/store-port';
import { TaskPackage } from '@cua-forge/spec/task';

/** Makes the desktop of a stored package in a sandbox. @throws ForgeError `not-found`, `setup.failed` */
export const preparePackage =
  ({ meta, artifacts }: Store) =>
  async (sandbox: Sandbox, id: string): Promise<void> => {
    const record = await meta.getPackage(id);
    if (record === null)
      throw new ForgeError('not-found', `There is no package "${id}".`, { fix: '`forge packages` lists them.' });
    const value: unknown = JSON.parse(new TextDecoder().decode(await artifacts.get(record.value.hash)));
    const task = await setupOfPackage(TaskPackage.parse(value), (file) => artifacts.get(file.hash));
    await prepareDesktop(sandbox, task, { signal: AbortSignal.timeout(240_000), again: false });
  };
