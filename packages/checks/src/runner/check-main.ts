import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { toForgeError } from '@cua-forge/spec/errors';
import { checkPackage } from './check-package.ts';
import { officeHere, thisMachine } from './this-machine.ts';

// cua-forge-check PACKAGE --rubric FILE [--reward FILE]: judges this machine by the checks of a task package. 0: judged, 2: it could not be.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rubric: { type: 'string' }, reward: { type: 'string' } },
});

try {
  const folder = positionals[0] ?? '.';
  const score = await checkPackage(
    { folder, rubric: values.rubric ?? `${folder}/rubric.json` },
    { reader: thisMachine(), office: officeHere, signal: new AbortController().signal },
  );
  process.stdout.write(`${JSON.stringify(score, null, 2)}\n`);
  // Only a verdict is a reward: a check that could not look is none.
  if (values.reward !== undefined) {
    await mkdir(dirname(values.reward), { recursive: true });
    await writeFile(values.reward, `${score.reward}\n`);
  }
} catch (thrown) {
  process.stderr.write(`${toForgeError(thrown).message}\n`);
  process.exitCode = 2;
}
