import { ForgeError } from '@cua-forge/spec/errors';
import { kindIndex } from '@cua-forge/spec/kind-index';
import type { Consultation, PlayNode } from '@cua-forge/spec/models-view';
import { Plan, type PlanNode } from '@cua-forge/spec/plan';
import type { ValueRef } from '@cua-forge/spec/value';
import { freezeDocument, refuseErrors } from '../documents/freeze-document.ts';
import { readDocument } from '../documents/read-document.ts';
import { findRun } from '../runs/find-run.ts';
import { getJson, putJson } from '../runs/json-artifact.ts';
import { planNodeAt } from '../runs/plan-node.ts';
import { portTypeOf } from '../runs/port-type.ts';
import { refuseParams } from '../runs/retry-run.ts';
import { storeValue } from '../runs/store-value.ts';
import type { Services } from '../services.ts';

interface Base {
  node: PlanNode;
  params: string;
  inputs: Record<string, ValueRef[]>;
  skill: string;
  seed: number;
  workflow: { id: string; version: string };
  round: number;
}

/**
 * What a worker is to play: the node with the params and inputs it had in the run, or those of the document, and with those of the
 * request over them. @throws ForgeError `input.invalid`, `params.invalid`, `document.invalid`, `run.not-found`
 */
export async function playQuestion(services: Services, request: PlayNode): Promise<Consultation> {
  const { kinds, store } = services;
  const base =
    request.run === undefined ? await fromDocument(services, request) : await fromRun(services, request, request.run);
  const { node } = base;
  const kind = kindIndex(kinds).usable(node.kind, node.version);
  if (kind?.policy.callsModel !== true)
    throw new ForgeError(
      'input.invalid',
      `Node "${request.node}" (${node.kind}) asks no model, so there is nothing to compare.`,
      {
        fix: 'Name a node whose kind asks a model, such as llm.generate.',
        place: { node: request.node },
      },
    );
  if (request.params !== undefined) refuseParams(node, request.node, request.params, kinds);
  const inputs = { ...base.inputs };
  for (const [port, values] of Object.entries(request.inputs)) {
    if (!Object.hasOwn(node.inputs, port) && !Object.hasOwn(kind.inputs, port)) {
      const ports = [...new Set([...Object.keys(kind.inputs), ...Object.keys(node.inputs)])].join(', ');
      throw new ForgeError('input.invalid', `Node "${request.node}" has no input "${port}".`, {
        fix: ports === '' ? 'It has none.' : `Its inputs are: ${ports}.`,
        place: { node: request.node, port },
      });
    }
    const type = base.inputs[port]?.some((ref) => ref.hidden === true)
      ? 'hidden'
      : portTypeOf(kinds, node, 'inputs', port);
    inputs[port] = await Promise.all(values.map((value) => storeValue(store.artifacts, value, type)));
  }
  return {
    what: 'play',
    key: request.node,
    kind: node.kind,
    version: node.version,
    params: request.params === undefined ? base.params : await putJson(store.artifacts, request.params),
    inputs,
    multiple: Object.keys(node.inputs).filter((port) => node.inputs[port]?.multiple === true),
    models: request.models,
    seed: base.seed,
    skill: base.skill,
    workflow: base.workflow,
    round: base.round,
  };
}

async function fromRun({ store }: Services, request: PlayNode, id: string): Promise<Base> {
  const run = await findRun(store.meta, id);
  if (request.documentId !== undefined && request.documentId !== run.documentId)
    throw new ForgeError(
      'input.invalid',
      `Run "${id}" is one of "${run.documentId}", not of "${request.documentId}".`,
      {
        fix: 'Name the document of the run, or leave it out.',
      },
    );
  const plan = await getJson(store.artifacts, run.planHash, Plan, 'plan');
  const node = nodeAt(plan, request.node);
  const outcome = (await store.meta.listOutcomes(id, { key: request.node })).at(-1);
  if (outcome === undefined)
    throw new ForgeError('input.invalid', `Node "${request.node}" has not been executed in run "${id}".`, {
      fix: 'Take a run in which it was, or give its inputs.',
      place: { node: request.node },
    });
  return {
    node,
    params: outcome.params,
    inputs: outcome.inputs,
    skill: run.skill,
    seed: run.seed,
    workflow: { id: run.documentId, version: run.documentHash },
    round: outcome.round,
  };
}

async function fromDocument({ store, kinds }: Services, request: PlayNode): Promise<Base> {
  const { documentId } = request;
  if (documentId === undefined)
    throw new ForgeError('input.invalid', 'The playground needs a run or a document.', {
      fix: 'Send "run" or "documentId".',
    });
  const { document, findings } = await readDocument(store.meta, kinds, documentId);
  if (document === null) {
    refuseErrors(documentId, findings);
    throw new ForgeError('document.invalid', `Document "${documentId}" cannot be read.`);
  }
  const { plan, documentHash } = await freezeDocument(document, kinds, store.artifacts);
  const node = nodeAt(plan, request.node);
  return {
    node,
    params: node.params,
    inputs: {},
    skill: document.skill ?? '',
    seed: request.seed,
    workflow: { id: document.id, version: documentHash },
    round: 1,
  };
}

function nodeAt(plan: Plan, key: string): PlanNode {
  const node = planNodeAt(plan, key);
  if (node !== null) return node;
  throw new ForgeError('input.invalid', `There is no node "${key}".`, {
    fix: 'Give the path as the document or the run shows it, such as draft or files[3]/draft.',
    place: { node: key },
  });
}
