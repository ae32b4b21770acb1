import { readdirSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { baseName } from '@cua-forge/spec/required-file';
import { HiddenAnswers, TaskPackage, TaskSpecification } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { type GraphValues, runGraph } from '@cua-forge/testing/run-graph';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import { kindLoaders } from '../../apps/worker/src/kinds.generated.ts';

const skills = resolve(import.meta.dirname, '../../skills');

/** Names of the shipped skills. */
export const skillNames = (): string[] =>
  readdirSync(skills, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .sort();

/** A task of a shipped skill, generated in this process: nodes in order, models rehearsed, no repairs, no LibreOffice. */
export interface GeneratedTask {
  seed: number;
  values: GraphValues;
  spec: TaskSpecification;
  hidden: HiddenAnswers;
  pack: TaskPackage;
  instruction: string;
  /** Bytes of a file of the package. */
  read(file: FileValue): Promise<Uint8Array>;
  /** Bytes of a required file, as the user finds it. */
  prepared(id: string): Uint8Array;
}

export function readSkill(skill: string): { document: GraphDocument; findings: readonly unknown[] } {
  const parsed = parseDocument(readFileSync(resolve(skills, skill, 'workflow.yaml'), 'utf8'), {
    file: 'workflow.yaml',
  });
  return { document: GraphDocument.parse(parsed.document), findings: parsed.findings };
}

/** Makes tasks of a skill from seeds; `inputs` are paths by the name of a file input, by default those of the document. */
export function taskGenerator(
  skill: string,
  inputs: Record<string, string> = {},
): (seed: number) => Promise<GeneratedTask> {
  const { document } = readSkill(skill);
  return async (seed) => {
    const files = new MemoryFiles();
    const given = Object.entries(document.inputs).map(([name, input]) => {
      const path = inputs[name] ?? resolve(skills, skill, String(input.default));
      if (input.type !== 'file') return [name, inputs[name] ?? input.default] as const;
      return [name, files.put(basename(path), 'application/octet-stream', new Uint8Array(readFileSync(path)))] as const;
    });
    const values = await runGraph(document, {
      seed,
      inputs: Object.fromEntries(given),
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
          write: async (name, mediaType, content) => files.put(name, mediaType, content),
        },
      },
    });
    const spec = TaskSpecification.parse(values.get('spec.spec'));
    const pack = TaskPackage.parse(values.get('assemble.package'));
    const bytesOf = (name: string): Uint8Array => {
      const found = pack.files.find(({ path }) => path === name);
      if (found === undefined) throw new Error(`the package has no ${name}`);
      return files.get(found.file.hash);
    };
    return {
      seed,
      values,
      spec,
      hidden: HiddenAnswers.parse(values.get('solution.hidden')),
      pack,
      instruction: new TextDecoder().decode(bytesOf('instruction.md')),
      read: async (file) => files.get(file.hash),
      prepared(id) {
        const path = spec.files.find((file) => file.id === id)?.path ?? '';
        return bytesOf(`files/${baseName(path)}`);
      },
    };
  };
}
