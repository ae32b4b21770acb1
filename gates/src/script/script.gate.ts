import { defineKind, input, optionalInput, output, policies, Verdict } from '@cua-forge/spec/kind';
import { HiddenAnswers, SetupScript, TaskSpecification } from '@cua-forge/spec/task';
import { z } from 'zod';
import { checkScript } from './script-checks.ts';

/** Rejects, since no model wrote the script: what is wrong is in the workflow. */
export const script = defineKind({
  id: 'gate.script',
  version: 1,
  title: 'Setup script holds',
  doc: 'Checks, without running it, that the setup script does what the specification needs and nothing else.',
  params: z.strictObject({}),
  inputs: {
    script: input('script', SetupScript, 'The script and its operations.'),
    spec: input('spec', TaskSpecification, 'The shared specification.'),
    hidden: optionalInput('hidden', HiddenAnswers, 'Answers that must not be in the script.'),
  },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at.'),
    script: output('script', SetupScript, 'The script, when it passes.'),
  },
  policy: policies.cheap,
  gate: true,
  example: {
    params: {},
    inputs: {
      script: {
        script:
          '#!/usr/bin/env bash\nset -euo pipefail\nplace() {\n  cp -- "$1" "$2"\n}\n\nplace note.txt \'/home/user/note.txt\' 0644\n',
        operations: [
          {
            op: 'place-file',
            file: { name: 'note.txt', mediaType: 'text/plain', hash: '0'.repeat(64), size: 4 },
            path: '/home/user/note.txt',
            mode: '0644',
          },
        ],
      },
      spec: {
        skill: 'example-skill',
        domain: 'documents',
        applications: ['text-editor'],
        outcome: {
          kind: 'edit',
          summary: 'The note has a second line.',
          requirements: [{ id: 'line', text: 'A second line is there.', must: true }],
          mentions: ['note.txt'],
        },
        scenario: { person: 'Dana Reyes', role: 'office manager', company: 'Alder & Finch', motive: 'a call is due' },
        files: [{ id: 'note', path: '/home/user/note.txt', type: 'text', content: 'Call the office.' }],
        preconditions: [{ type: 'file-present', file: 'note' }],
        constraints: [],
        traits: {},
      },
    },
  },
  async execute({ inputs }) {
    const evidence = checkScript(inputs.script, inputs.spec, inputs.hidden);
    const good = evidence.every(({ ok }) => ok);
    const verdict: Verdict = { verdict: good ? 'pass' : 'reject', evidence };
    return good ? { verdict, script: inputs.script } : { verdict };
  },
});
