import { linesOf, provePackage } from '@cua-forge/proof/prove-package';
import { defineKind, input, output, policies, Verdict } from '@cua-forge/spec/kind';
import { ProofRecord } from '@cua-forge/spec/proof';
import { TaskPackage } from '@cua-forge/spec/task';
import { z } from 'zod';
import { examplePackage } from './example-package.ts';

/** What a proof says to whoever wrote the parts; the same evidence for all of them. */
const feedbackOf = ({ reason }: ProofRecord): string => `The finished task does not hold: ${reason}`;

/**
 * A package that is proven passes; one whose proof fails asks for a repair, as other gates do, or is rejected where nobody is named to
 * mend it. What nothing could prove passes and is marked so, unless `required`.
 */
export const provePackageGate = defineKind({
  id: 'gate.prove',
  version: 3,
  title: 'Package proves itself',
  doc: 'Prepares the task in a clean sandbox and shows that its checks fail before, pass after the reference solution, and tell faults and cheats apart.',
  params: z.strictObject({
    required: z
      .boolean()
      .default(false)
      .describe(
        'Refuse packages that cannot be proven, such as where no sandbox is there; without it they pass, marked as unproven.',
      ),
    failed: z
      .enum(['refuse', 'mark'])
      .default('refuse')
      .describe(
        'What becomes of a package whose proof fails. refuse: the gate does not pass it; mark: it passes and says that it failed.',
      ),
  }),
  inputs: { package: input('package', TaskPackage, 'The finished package.') },
  outputs: {
    verdict: output('json', Verdict, 'What was looked at, step by step.'),
    package: output('package', TaskPackage, 'The package with its proof.'),
    proof: output('json', ProofRecord, 'Verdict, steps with their times, and evidence.'),
  },
  // What a sandbox shows is looked at each time: the image is no part of a memo key.
  policy: {
    ...policies.heavy,
    timeoutMs: 1_200_000,
    heartbeatMs: 30_000,
    attempts: 3,
    effects: 'sandbox',
    cacheable: false,
  },
  migrations: { 1: (params) => params, 2: (params) => params },
  gate: true,
  example: { params: {}, inputs: { package: examplePackage } },
  async execute({ params, inputs, context }) {
    const { package: proven, record } = await provePackage(inputs.package, context);
    const evidence = [
      ...linesOf(record),
      {
        check: 'proof',
        ok: record.verdict === 'proven' || (record.verdict === 'unproven' && !params.required),
        detail: record.reason === null ? record.verdict : `${record.verdict}: ${record.reason}`,
      },
    ];
    const passes =
      record.verdict === 'proven' ||
      (record.verdict === 'failed' && params.failed === 'mark') ||
      (record.verdict === 'unproven' && !params.required);
    if (passes) return { verdict: { verdict: 'pass' as const, evidence }, package: proven, proof: record };
    const verdict = record.verdict === 'failed' ? ('repair' as const) : ('reject' as const);
    return {
      verdict: { verdict, evidence, ...(verdict === 'repair' ? { feedback: feedbackOf(record) } : {}) },
      proof: record,
    };
  },
});
