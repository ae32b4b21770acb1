import { readFileSync } from 'node:fs';
import { rehearsalModels } from '@cua-forge/models/rehearsal';
import { GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { TaskPackage } from '@cua-forge/spec/task';
import { runGraph } from '@cua-forge/testing/run-graph';
import { MemoryFiles } from '@cua-forge/testing/run-kind';
import { kindLoaders } from '../apps/worker/src/kinds.generated.ts';

const document = GraphDocument.parse(
  parseDocument(readFileSync('skills/calc-monthly-summary/workflow.yaml', 'utf8'), { file: 'w' }).document,
);
for (let seed = 1; seed <= Number(process.argv[2]); seed++) {
  const files = new MemoryFiles();
  const workbook = files.put(
    'sample.xlsx',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    readFileSync(process.argv[3] ?? 'skills/calc-monthly-summary/sample.xlsx'),
  );
  try {
    const values = await runGraph(document, {
      seed,
      inputs: { workbook },
      kindOf: async (id, version) => {
        const l = kindLoaders[`${id}@${version}`];
        if (!l) throw new Error(id);
        return l();
      },
      context: {
        skill: 'calc-monthly-summary',
        models: rehearsalModels(),
        runSeed: seed,
        workflow: { id: 'w', version: 'v' },
        files: { read: async (f) => files.get(f.hash), write: async (n, m, c) => files.put(n, m, c) },
      } as never,
    });
    const pack = TaskPackage.parse(values.get('assemble.package'));
    console.log('=====', seed, pack.manifest.id, pack.manifest.proofs.map((p) => p.status).join(','));
    console.log(values.get('instruction-holds.instruction'));
    if (seed === 1) {
      console.log(JSON.stringify(values.get('rubric.rubric'), null, 1));
      console.log(JSON.stringify(pack.manifest, null, 1));
    }
  } catch (e) {
    console.log('=====', seed, 'FAIL', e instanceof Error ? e.message.slice(0, 1500) : e);
  }
}
