import type { PackageRecord } from '@cua-forge/spec/store-port';
import { type RequiredFile, Rubric, SetupOperation, type TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { fileText, readValue } from '../api/files-api.ts';
import { runsApi } from '../api/runs-api.ts';

const SetupFile = z.object({ operations: z.array(SetupOperation) });

/** The stored file at a path of the package; null when the package has none there. */
export const fileAt = (content: TaskPackage, path: string) =>
  content.files.find((file) => file.path === path)?.file ?? null;

async function jsonAt<S extends z.ZodType>(content: TaskPackage, path: string, shape: S): Promise<z.output<S> | null> {
  const file = fileAt(content, path);
  return file === null ? null : shape.parse(JSON.parse(await fileText(file)));
}

export const readRubric = (content: TaskPackage) => jsonAt(content, 'rubric.json', Rubric);
export const readSetup = (content: TaskPackage) => jsonAt(content, 'setup/setup.json', SetupFile);
export const readInstruction = async (content: TaskPackage): Promise<string> => {
  const file = fileAt(content, 'instruction.md');
  return file === null ? '' : fileText(file);
};

/**
 * What the files were made from, by their path in the sandbox: the specification that the run gave to the node that
 * assembled the package. Empty when the run is not here, as for packages from elsewhere.
 */
export async function readContents(record: PackageRecord): Promise<ReadonlyMap<string, RequiredFile>> {
  const { run, document } = await runsApi.run(record.runId);
  const node = document.nodes.find(({ kind }) => kind === 'package.assemble');
  if (node === undefined) return new Map();
  const { outcomes } = await runsApi.node(run.id, { key: node.id });
  const ref = outcomes[0]?.inputs.spec?.[0];
  if (ref === undefined || ref.hidden === true) return new Map();
  const specification = TaskSpecification.safeParse(await readValue(ref));
  return new Map(specification.success ? specification.data.files.map((file) => [file.path, file]) : []);
}
