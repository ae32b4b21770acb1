import { createHash } from 'node:crypto';
import type { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ExecuteContext, Kind } from '@cua-forge/spec/kind';
import { Verdict } from '@cua-forge/spec/kind';
import { z } from 'zod';
import { testContext } from './execute-context.ts';

interface RunGraphOptions {
  seed: number;
  /** Values of the document's inputs. */
  inputs: Record<string, unknown>;
  kindOf(id: string, version: number): Promise<Kind>;
  context: Partial<ExecuteContext>;
}

/** Outputs of every node of a document's main graph, by `node.port`. */
export type GraphValues = Map<string, unknown>;

const seedOf = (seed: number, key: string) => createHash('sha256').update(`${seed}/${key}`).digest().readInt32LE(0);

/**
 * Runs the main graph of a document in this process, node by node, without flow kinds, repairs or a store: what a test of a
 * workflow's content needs.
 * @throws ForgeError `gate.rejected` when a gate does not pass, and whatever a kind throws
 */
export async function runGraph(document: GraphDocument, options: RunGraphOptions): Promise<GraphValues> {
  const values: GraphValues = new Map(
    Object.entries(options.inputs).map(([name, value]) => [`$inputs.${name}`, value]),
  );
  const waiting = new Set(document.nodes);
  while (waiting.size > 0) {
    const isReady = (id: string) =>
      document.edges.every(({ from, to }) => !to.startsWith(`${id}.`) || values.has(from));
    const next = [...waiting].find((node) => isReady(node.id));
    if (next === undefined) {
      throw new ForgeError(
        'document.invalid',
        `These nodes wait for values that never come: ${[...waiting].map((node) => node.id).join(', ')}.`,
      );
    }
    waiting.delete(next);
    const kind = await options.kindOf(next.kind, next.version);
    for (const [port, value] of Object.entries(await runNode(next, kind, document, values, options)))
      values.set(`${next.id}.${port}`, value);
  }
  return values;
}

async function runNode(
  node: GraphDocument['nodes'][number],
  kind: Kind,
  document: GraphDocument,
  values: GraphValues,
  options: RunGraphOptions,
): Promise<Record<string, unknown>> {
  const inputs: Record<string, unknown> = {};
  const extra: ExecuteExtra = {};
  for (const { from, to } of document.edges) {
    const [id, name = ''] = to.split('.');
    if (id !== node.id) continue;
    const port = kind.inputs[name];
    if (port === undefined) extra[name] = z.json().parse(values.get(from));
    else if (port.multiple)
      inputs[name] = [...z.array(z.unknown()).parse(inputs[name] ?? []), port.schema.parse(values.get(from))];
    else inputs[name] = port.schema.parse(values.get(from));
  }
  const context = testContext({
    ...options.context,
    key: node.id,
    seed: seedOf(options.seed, node.id),
    runSeed: options.seed,
  });
  const outputs = await kind.execute({ params: kind.params.parse(node.params), inputs, extra, context });
  const verdict = kind.gate ? Verdict.parse(outputs.verdict) : undefined;
  if (verdict !== undefined && verdict.verdict !== 'pass') {
    const wrong = verdict.evidence.filter((check) => !check.ok).map((check) => `${check.check}: ${check.detail}`);
    throw new ForgeError('gate.rejected', `${node.id} says ${verdict.verdict}: ${wrong.join('; ')}`, {
      place: { node: node.id },
    });
  }
  return Object.fromEntries(
    Object.entries(outputs).map(([port, value]) => [port, kind.outputs[port]?.schema.parse(value) ?? value]),
  );
}

type ExecuteExtra = Parameters<Kind['execute']>[0]['extra'];
