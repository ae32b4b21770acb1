import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderSetupScript } from '@cua-forge/desktop/setup-script';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { phrasings } from '@cua-forge/nodes/llm/instruction-plans';
import { draftRubrics, withUnitWeights } from '@cua-forge/nodes/llm/rubric-rules';
import { csv } from '@cua-forge/preparers/csv.preparer';
import { text } from '@cua-forge/preparers/text.preparer';
import { xlsx } from '@cua-forge/preparers/xlsx.preparer';
import { GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import {
  HiddenAnswers,
  type RequiredFile,
  Rubric,
  type SetupOperation,
  SetupScript,
  TaskSpecification,
} from '@cua-forge/spec/task';
import { FileValue } from '@cua-forge/spec/value';
import { runGraph } from '@cua-forge/testing/run-graph';
import { MemoryFiles, runKind } from '@cua-forge/testing/run-kind';
import { kindLoaders } from '../../apps/worker/src/kinds.generated.ts';
import { handMade } from './base-specs.ts';
import { at } from './example.ts';

/** The parts of a sound task package, before they are put together. */
export interface Base {
  name: string;
  spec: TaskSpecification;
  hidden: HiddenAnswers;
  instruction: string;
  rubric: Rubric;
  script: SetupScript;
  prepared: FileValue[];
  files: MemoryFiles;
}

const skill = join(import.meta.dirname, '../../skills/calc-monthly-summary');
const seeds = [101, 102, 103, 104, 105, 106, 107, 108, 109, 110];

/** What the shipped skill makes without a model. */
async function generated(document: GraphDocument, seed: number): Promise<Base> {
  const files = new MemoryFiles();
  const sample = readFileSync(join(skill, 'sample.xlsx'));
  const mediaType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const values = await runGraph(document, {
    seed,
    inputs: { workbook: files.put('sample.xlsx', mediaType, new Uint8Array(sample)) },
    kindOf: async (id, version) => {
      const load = kindLoaders[`${id}@${version}`];
      if (load === undefined) throw new Error(`no kind ${id}@${version}`);
      return load();
    },
    context: {
      models: rehearsalModels(),
      files: {
        read: async (file) => files.get(file.hash),
        write: async (name, type, bytes) => files.put(name, type, bytes),
      },
    },
  });
  const madeBy = (kind: string, port: string) =>
    values.get(`${document.nodes.find((node) => node.kind === kind)?.id ?? kind}.${port}`);
  return {
    name: `seed ${seed}`,
    spec: TaskSpecification.parse(madeBy('spec.unify', 'spec')),
    hidden: HiddenAnswers.parse(madeBy('spec.unify', 'hidden')),
    instruction: String(madeBy('llm.instruction', 'instruction')),
    rubric: Rubric.parse(madeBy('llm.rubric', 'rubric')),
    script: SetupScript.parse(madeBy('setup.script', 'script')),
    prepared: [FileValue.parse(madeBy('preparer.xlsx', 'file'))],
    files,
  };
}

async function prepare(spec: TaskSpecification, file: RequiredFile, files: MemoryFiles): Promise<FileValue> {
  const preparers = { csv, text, xlsx };
  const preparer = Object.entries(preparers).find(([type]) => type === file.type)?.[1];
  if (preparer === undefined) throw new Error(`no preparer for ${file.type}`);
  return FileValue.parse((await runKind(preparer, { params: { file: file.id }, inputs: { spec }, files })).file);
}

/** A package made from a specification by hand, with the given one of its phrasings. */
export async function packageOf(
  { spec, hidden }: { spec: TaskSpecification; hidden: HiddenAnswers },
  index: number,
): Promise<Base> {
  const files = new MemoryFiles();
  const prepared = await Promise.all(spec.files.map((file) => prepare(spec, file, files)));
  const operations = spec.files.map(
    ({ path }, which): SetupOperation => ({ op: 'place-file', file: at(prepared, which), path, mode: '0644' }),
  );
  const opened = spec.preconditions.flatMap((one): SetupOperation[] => {
    const path = spec.files.find(({ id }) => id === one.file)?.path;
    return one.type === 'application-open' && path !== undefined
      ? [{ op: 'open', application: one.application, path }]
      : [];
  });
  const all = [...operations, ...opened];
  return {
    name: spec.outcome.kind,
    spec,
    hidden,
    instruction: at(phrasings(spec), index * 7),
    rubric: withUnitWeights(Rubric.parse(at(draftRubrics(spec), index))),
    script: { script: renderSetupScript(all), operations: all },
    prepared,
    files,
  };
}

async function make(): Promise<Base[]> {
  const parsed = parseDocument(readFileSync(join(skill, 'workflow.yaml'), 'utf8'), { file: 'workflow.yaml' });
  const document = GraphDocument.parse(parsed.document);
  const made: Base[] = [];
  for (const seed of seeds) made.push(await generated(document, seed));
  return [...(await Promise.all(handMade.map(packageOf))), ...made];
}

let bases: Promise<Base[]> | undefined;

/** Sixteen sound packages: six by hand, ten as the shipped skill makes them. Made once. */
export function basePackages(): Promise<Base[]> {
  bases ??= make();
  return bases;
}
