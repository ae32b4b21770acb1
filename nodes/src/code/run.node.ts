import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { defineKind, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { PortMap } from '../data/transform.node.ts';

/**
 * Runs JavaScript in an engine of its own: JSON in, JSON out, and nothing else to reach. Without declared outputs the result is
 * `value`; with them the result must be an object, whose members go to the ports (a missing or null member leaves its port dead).
 */
export const run = defineKind({
  id: 'code.run',
  version: 1,
  title: 'Run JavaScript',
  doc: 'Runs a JavaScript program in a sealed engine with limits of time, memory and output, and gives what it returns.',
  params: z.strictObject({
    code: z.string().min(1).max(200_000).meta({
      description: 'Body of an async function; its inputs are in the object inputs, its result is returned.',
      format: 'javascript',
    }),
    inputs: PortMap.default({}).describe('Name of a further input → its type.'),
    outputs: PortMap.default({}).describe('Name of a further output, a member of the result → its type.'),
    now: z.iso.datetime().default('2025-01-01T09:00:00Z').describe('What the clock says; it stands still, in UTC.'),
    timeoutMs: z.number().int().min(10).max(60_000).default(2_000),
    memoryMb: z.number().int().min(1).max(512).default(64),
    maxOutput: z
      .number()
      .int()
      .min(10)
      .max(20_000_000)
      .default(1_000_000)
      .describe('Characters of the result as JSON.'),
    maxLog: z.number().int().min(0).max(200_000).default(10_000).describe('Characters of all console lines together.'),
  }),
  inputs: {},
  outputs: {
    value: output('json', Json, 'What the program returns.'),
    logs: output('list', z.array(z.string()), 'What the program wrote to the console.'),
  },
  inputsFromParam: 'inputs',
  outputsFromParam: 'outputs',
  policy: { ...policies.pure, seeded: true },
  example: {
    params: {
      code: 'const sorted = [...inputs.amounts].sort((a, b) => a - b);\nconsole.log(sorted.length, "amounts");\nreturn { median: sorted[Math.floor(sorted.length / 2)] };',
      inputs: { amounts: 'list' },
      outputs: { median: 'number' },
    },
    inputs: { amounts: [12.5, 3, 40] },
  },
  async execute({ params, extra, context }) {
    const { code, timeoutMs, memoryMb, maxOutput, maxLog } = params;
    const { value, logs } = await context.code
      .run(
        {
          source: code,
          inputs: extra,
          seed: context.seed,
          now: Date.parse(params.now),
          timeoutMs,
          memoryBytes: memoryMb * 1024 * 1024,
          maxOutput,
          maxLog,
        },
        context.signal,
      )
      .catch((thrown: unknown) => Promise.reject(withoutHidden(thrown, Object.values(params.inputs))));
    for (const line of logs) context.log(line);
    const ports: Record<string, Json> = {};
    for (const port of Object.keys(params.outputs)) {
      const member = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[port] : undefined;
      if (member !== undefined && member !== null) ports[port] = member;
    }
    return { ...ports, value, logs };
  },
});

/** What a program throws may quote its inputs: beside hidden ones only the place is told. */
function withoutHidden(thrown: unknown, types: readonly string[]): unknown {
  if (!(thrown instanceof ForgeError) || thrown.code !== 'code.failed' || !types.includes('hidden')) return thrown;
  const { fix, place } = thrown;
  const where = place?.line === undefined ? '' : ` at line ${place.line}`;
  return new ForgeError(
    'code.failed',
    `The program failed${where}; what it said is not shown, since an input is hidden.`,
    { fix, place },
  );
}
