import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { GraphDocument as Document, type GraphDocument } from '@cua-forge/spec/document';
import { applyEdits } from '@cua-forge/spec/document-edits';
import { serializeYaml } from '@cua-forge/spec/document-io';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { JsonObject } from '@cua-forge/spec/json';
import type { KindMeta } from '@cua-forge/spec/kind';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { kinds } from '@cua-forge/spec/kinds';
import type { ModelPort, ModelRequest } from '@cua-forge/spec/model-port';
import { ProposedEdits, type WorkerProposal } from '@cua-forge/spec/proposals';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { z } from 'zod';

/** Calls at most: the first, and corrections. */
const CALLS = 4;
const MOST_PROBLEMS = 12;

export interface Wish {
  document: GraphDocument;
  words: string;
  model: string | null;
}

type Judged = { proposed: ProposedEdits; problems: string[]; used: Set<string> };

/**
 * Asks a model how the document is to be changed for what a person wants, as a list of edits; edits that cannot be made, or whose outcome the
 * validator refuses, go back to the model with what is wrong.
 * @throws ForgeError `model.refused` where no model is configured, `model.bad-output` after the last correction, and what the port throws
 */
export async function proposeChange(models: ModelPort, wish: Wish, signal: AbortSignal): Promise<WorkerProposal> {
  if (models.rehearsed)
    throw new ForgeError('model.refused', 'No model is configured: a rehearsal cannot propose changes.', {
      fix: 'Configure a model (docs/operations/models.md), then ask again.',
    });
  const schema = JsonObject.parse(z.toJSONSchema(ProposedEdits, { io: 'input' }));
  const inUse = new Set(graphsOf(wish.document).flatMap(({ nodes }) => nodes.map(({ kind }) => kind)));
  const messages: ModelRequest['messages'] = [{ role: 'user', content: questionOf(wish, inUse) }];
  const usage = { input: 0, cached: 0, output: 0 };
  let usd: number | null = 0;
  let problems: string[] = [];
  for (let call = 1; call <= CALLS; call++) {
    const answer = await models.complete(
      {
        purpose: 'propose',
        ...(wish.model === null ? {} : { model: wish.model }),
        system: systemOf(schema),
        messages,
        schema,
        maxOutputTokens: 4_000,
        temperature: 0,
        seed: call,
      },
      signal,
    );
    usage.input += answer.usage.input;
    usage.cached += answer.usage.cached;
    usage.output += answer.usage.output;
    usd = usd === null || answer.usd === null ? null : usd + answer.usd;
    const judged = judge(answer.text, answer.finish, wish.document);
    if ('proposed' in judged && judged.problems.length === 0) {
      const { provider, model } = answer;
      return { ...judged.proposed, provider, model, calls: call, usage, usd };
    }
    problems = judged.problems;
    const wanted = 'used' in judged ? [...judged.used].filter((kind) => !inUse.has(kind)) : [];
    for (const kind of wanted) inUse.add(kind);
    messages.push(
      { role: 'assistant', content: answer.text },
      { role: 'user', content: correctionOf(problems, wanted) },
    );
  }
  throw new ForgeError(
    'model.bad-output',
    `No usable proposal after ${CALLS} answers: ${problems.slice(0, 3).join('; ')}`,
    {
      fix: 'Say it in other words, ask for less at once, or name a stronger model.',
    },
  );
}

const graphsOf = (document: GraphDocument) => [document, ...Object.values(document.graphs)];
const index = kindIndex(kinds);
const newest = (kind: string): number => index.newest(kind)?.version ?? 1;

function judge(text: string, finish: 'stop' | 'length', document: GraphDocument): Judged | { problems: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(/^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/i.exec(text)?.[1] ?? text);
  } catch (thrown) {
    return {
      problems: [finish === 'length' ? 'It was cut; answer with fewer edits.' : `It is not JSON: ${String(thrown)}`],
    };
  }
  const parsed = ProposedEdits.safeParse(value);
  if (!parsed.success) return { problems: z.prettifyError(parsed.error).split('\n').slice(0, MOST_PROBLEMS) };
  const proposed = parsed.data;
  const used = new Set(proposed.edits.flatMap((edit) => (edit.do === 'add-node' ? [edit.kind] : [])));
  try {
    const next = Document.parse(applyEdits(document, proposed.edits, newest));
    if (canonicalJson(next) === canonicalJson(document))
      return { proposed, used, problems: ['The edits change nothing.'] };
    const known = new Set(validateDocument(document, kinds).map(({ message }) => message));
    const errors = validateDocument(next, kinds).filter(({ severity }) => severity === 'error');
    const problems = errors.map(
      ({ message, fix }) => `${known.has(message) ? '(was there before) ' : ''}${message} ${fix}`,
    );
    return { proposed, used, problems: problems.slice(0, MOST_PROBLEMS) };
  } catch (thrown) {
    const { message, fix } = toForgeError(thrown);
    return { proposed, used, problems: [`${message} ${fix ?? ''}`.trim()] };
  }
}

function systemOf(schema: JsonObject): string {
  return [
    'You change workflow documents. A document is a graph: nodes of known kinds, edges from output ports to input ports (node.port, or $inputs.name for an input of the graph), outputs of the graph.',
    'A person says what they want. Answer with the smallest list of edits that does it, in the order in which they are made. Use only kinds, ports and params that are listed. Every required input port of a node that you add needs an edge. Do not touch what was not asked for.',
    `Answer with one JSON value alone, valid under this JSON Schema:\n${JSON.stringify(schema)}`,
    `The kinds there are:\n${newestKinds().map(lineOf).join('\n')}`,
  ].join('\n\n');
}

const newestKinds = (): KindMeta[] => kinds.filter((kind) => kind.version === newest(kind.id));

const portsText = (ports: Record<string, { type: string; required?: boolean | undefined }>): string =>
  Object.entries(ports)
    .map(([name, { type, required }]) => `${name}${required === true ? '' : '?'}:${type}`)
    .join(', ');

const lineOf = ({ id, doc, inputs, outputs }: KindMeta): string =>
  `- ${id}: ${doc} In: ${portsText(inputs) || 'none'}. Out: ${Object.keys(outputs).join(', ') || 'none'}.`;

const paramsText = (wanted: Iterable<string>): string =>
  [...wanted]
    .flatMap((id) => {
      const kind = index.newest(id);
      return kind === undefined ? [] : [`- ${id}: ${JSON.stringify(kind.params)}`];
    })
    .join('\n');

function questionOf({ document, words }: Wish, inUse: ReadonlySet<string>): string {
  const { layout: _, annotations: _a, ...meaning } = document;
  return [
    `The document:\n<document>\n${serializeYaml({ ...meaning, layout: {} })}</document>`,
    `Params of the kinds in it, as JSON Schema:\n${paramsText(inUse)}`,
    `What the person wants:\n<wish>\n${words}\n</wish>`,
  ].join('\n\n');
}

function correctionOf(problems: readonly string[], wanted: readonly string[]): string {
  const params =
    wanted.length === 0 ? '' : `\nParams of the kinds that you added, as JSON Schema:\n${paramsText(wanted)}`;
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  return `The edits cannot be used:\n${list}${params}\nAnswer again with the whole corrected list, as JSON alone.`;
}
