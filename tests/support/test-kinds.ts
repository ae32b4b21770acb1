import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import type { Kind } from '@cua-forge/spec/kind';
import { defineKind, input, manyInput, optionalInput, output, policies } from '@cua-forge/spec/kind';
import { z } from 'zod';

/** How often each node of a test has executed, by `run/path`. */
export class Executions {
  readonly counts = new Map<string, number>();
  count(id: string): number {
    const count = (this.counts.get(id) ?? 0) + 1;
    this.counts.set(id, count);
    return count;
  }

  /** Executions by node path in one run, failed attempts counted too. */
  of(runId: string): Record<string, number> {
    const own = [...this.counts].filter(([id]) => id.startsWith(`${runId}/`));
    return Object.fromEntries(own.map(([id, count]) => [id.slice(runId.length + 1), count]));
  }
}

const Step = z.strictObject({
  /** Appended to what comes in. */
  say: z.string().default(''),
  /** Fails this often before it succeeds; -1 always. */
  fail: z.number().int().default(0),
  code: z.enum(['node.failed', 'model.unavailable', 'internal']).default('node.failed'),
  milliseconds: z.number().int().default(0),
  /** Returns a value of this many bytes instead. */
  bytes: z.number().int().optional(),
});

/** Kinds whose behaviour tests choose by params: `test.step` (an ordinary node), `test.cheap` (in regions), `test.judge` (a gate). */
export function testKinds(executions: Executions): Kind[] {
  const step = (id: string, policy: Kind['policy']): Kind =>
    defineKind({
      id,
      version: 1,
      title: 'Step',
      doc: 'Says something after what it was given.',
      params: Step,
      inputs: { value: optionalInput('any', Json, 'What came before.'), more: manyInput('any', Json, 'More of it.') },
      outputs: { value: output('text', z.string(), 'All of it.') },
      policy,
      example: { params: {}, inputs: {} },
      async execute({ params, inputs, context }) {
        const times = executions.count(`${context.runId}/${context.key}`);
        if (params.milliseconds > 0) {
          await new Promise<void>((resolve, reject) => {
            const timer = setTimeout(resolve, params.milliseconds);
            context.signal.addEventListener('abort', () => {
              clearTimeout(timer);
              reject(new ForgeError('node.cancelled', 'cancelled'));
            });
          });
        }
        if (params.fail < 0 || times <= params.fail)
          throw new ForgeError(params.code, `planned failure ${times}`, { fix: 'None needed.' });
        if (params.bytes !== undefined) return { value: 'x'.repeat(params.bytes) };
        const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
        const before = [...(inputs.value === undefined ? [] : [inputs.value]), ...inputs.more].map(text).join('+');
        return {
          value: `${before}${before === '' ? '' : '>'}${params.say}${context.feedback.map((line) => `(${line})`).join('')}`,
        };
      },
    });
  return [
    step('test.step', { ...policies.pure, cacheable: false, attempts: 3, backoffMs: 20 }),
    step('test.cached', { ...policies.pure, attempts: 3, backoffMs: 20 }),
    step('test.cheap', { ...policies.cheap, cacheable: false, attempts: 3, backoffMs: 20 }),
    defineKind({
      id: 'test.judge',
      version: 1,
      title: 'Judge',
      doc: 'Passes texts that contain what it wants.',
      params: z.strictObject({ wants: z.string(), reject: z.boolean().default(false) }),
      inputs: { value: input('text', z.string(), 'What is judged.') },
      outputs: { value: output('text', z.string(), 'The same.'), verdict: output('json', Json, 'The verdict.') },
      policy: { ...policies.pure, cacheable: false },
      gate: true,
      example: { params: { wants: 'a' }, inputs: { value: 'a' } },
      async execute({ params, inputs }) {
        const ok = inputs.value.includes(params.wants);
        const verdict = {
          verdict: ok ? ('pass' as const) : params.reject ? ('reject' as const) : ('repair' as const),
          evidence: [{ check: 'contains', ok, detail: `wants ${params.wants}` }],
          ...(ok || params.reject ? {} : { feedback: params.wants }),
        };
        return ok ? { value: inputs.value, verdict } : { verdict };
      },
    }),
  ];
}

export interface NodeOf {
  id: string;
  kind?: string;
  params?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A `test.step` that says its own id. */
export const step = (id: string, params: Record<string, unknown> = {}, kind = 'test.step'): NodeOf => ({
  id,
  kind,
  params: { say: id, ...params },
});

/** A document from the parts that matter. */
export function documentOf(
  nodes: NodeOf[],
  edges: [from: string, to: string][],
  more: Record<string, unknown> = {},
): unknown {
  return {
    forge: 1,
    id: 'test-document',
    title: 'Test',
    nodes: nodes.map((node) => ({ kind: 'test.step', version: 1, ...node })),
    edges: edges.map(([from, to]) => ({ from, to })),
    ...more,
  };
}
