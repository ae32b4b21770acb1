import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import type { BuiltTask } from '@cua-forge/proof/testing/sample-task';
import { GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { TaskPackage } from '@cua-forge/spec/task';
import { runGraph } from '@cua-forge/testing/run-graph';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import { kindLoaders } from '../../apps/worker/src/kinds.generated.ts';

const skills = resolve(import.meta.dirname, '../../skills');

/** A package of a shipped skill from its own sample, made in this process without a model. */
export async function generateTask(skill: string, seed: number): Promise<BuiltTask> {
  const folder = resolve(skills, skill);
  const parsed = parseDocument(readFileSync(resolve(folder, 'workflow.yaml'), 'utf8'), { file: 'workflow.yaml' });
  const document = GraphDocument.parse(parsed.document);
  const files = new MemoryFiles();
  const inputs = Object.fromEntries(
    Object.entries(document.inputs).map(([name, input]) => {
      const file = String(input.default);
      return [name, files.put(file, 'application/octet-stream', new Uint8Array(readFileSync(resolve(folder, file))))];
    }),
  );
  const values = await runGraph(document, {
    seed,
    inputs,
    kindOf: async (id, version) => {
      const load = kindLoaders[`${id}@${version}`];
      if (load === undefined) throw new Error(`no kind ${id}@${version}`);
      return load();
    },
    context: {
      skill,
      models: rehearsalModels(),
      files: {
        read: async (file) => files.get(file.hash),
        write: async (name, mediaType, bytes) => files.put(name, mediaType, bytes),
      },
    },
  });
  return {
    package: TaskPackage.parse(values.get('assemble.package')),
    bytes: new Map(),
    read: async (file) => files.get(file.hash),
  };
}
