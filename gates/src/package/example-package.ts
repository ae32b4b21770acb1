import type { JsonObject } from '@cua-forge/spec/json';

const part = (path: string, mediaType: string, text: string): JsonObject => ({
  path,
  file: { name: path.slice(path.lastIndexOf('/') + 1), mediaType, text },
  executable: path.endsWith('.sh'),
});

/** A package as small as one can be: nothing in it can be checked by a program. */
export const examplePackage: JsonObject = {
  manifest: {
    schema: 1,
    id: 'example-1-0123456789ab',
    title: 'A note with a second line',
    domain: 'documents',
    skills: ['example'],
    applications: ['text-editor'],
    seed: 1,
    workflow: { id: 'example', version: '0'.repeat(64) },
    run: 'r1',
    models: ['rehearsal'],
    files: [],
    outcome: { kind: 'note', summary: 'The note has a second line.' },
    traits: {},
    proofs: [],
    gates: [],
  },
  files: [
    part('instruction.md', 'text/markdown', 'Please add a second line to my note that says when the office opens.\n'),
    part(
      'rubric.json',
      'application/json',
      JSON.stringify({
        criteria: [
          { id: 'line', text: 'There is a second line', weight: 1, must: true, judge: 'model', evidence: 'the note' },
        ],
      }),
    ),
    part('setup/setup.sh', 'application/x-sh', '#!/usr/bin/env bash\nset -euo pipefail\n'),
    part('setup/setup.json', 'application/json', JSON.stringify({ operations: [] })),
  ],
};
