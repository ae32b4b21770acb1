import { toForgeError } from '@cua-forge/spec/errors';
import type { Json } from '@cua-forge/spec/json';
import type { FailedTry, ModelPort } from '@cua-forge/spec/model-port';
import type { Consultation, Played, PlayedCall, PlayResult } from '@cua-forge/spec/models-view';
import type { CountedCall, CountedModels } from './counted-models.ts';
import { type ExecutorParts, executeKind } from './execute-member.ts';
import { seedOf } from './seeds.ts';
import type { Values } from './values.ts';

type Play = Extract<Consultation, { what: 'play' }>;

/** Executes a node with several models side by side, as a run would, and commits nothing: no outcome, no call, no event. */
export async function playNode(parts: ExecutorParts, play: Play, signal: AbortSignal): Promise<PlayResult> {
  const { key, kind, seed, models } = play;
  const results = await Promise.all(models.map((model) => playOne(parts, play, model, signal)));
  return { label: 'playground', node: key, kind, seed, results };
}

async function playOne(parts: ExecutorParts, play: Play, model: string, signal: AbortSignal): Promise<Played> {
  const { key, params, multiple, round } = play;
  const written: PlayedCall[] = [];
  const calls: CountedCall[] = [];
  const counted: CountedModels = { port: watched(parts.models, model, written, calls), calls };
  const startedAt = Date.now();
  const delivery = {
    signal,
    attempt: 1,
    attempts: 1,
    patience: () => 0,
    progress: () => undefined,
    log: () => undefined,
  };
  const run = {
    id: 'playground',
    skill: play.skill,
    seed: play.seed,
    batchId: null,
    documentId: play.workflow.id,
    documentHash: play.workflow.version,
  };
  const member = { key, token: 1, round, attempt: 1, params, multiple, feedback: [] };
  const shared = () => ({
    model,
    rehearsed: written.length > 0 && written.every(({ provider }) => provider === 'rehearsal'),
    calls: written,
    usage: {
      input: sum(calls, ({ usage }) => usage.input),
      cached: sum(calls, ({ usage }) => usage.cached),
      output: sum(calls, ({ usage }) => usage.output),
    },
    usd: calls.some(({ usd, usage }) => usd === null && usage.input + usage.output > 0)
      ? null
      : sum(calls, ({ usd }) => usd ?? 0),
    seconds: (Date.now() - startedAt) / 1000,
  });
  try {
    const loaded = await parts.kinds(play.kind, play.version);
    const made = await executeKind(parts, run, member, loaded, play.inputs, seedOf(play.seed, key), delivery, counted);
    // Small values ride beside their reference until a commit, which there is none of here.
    for (const { bytes } of made.artifacts) await parts.store.artifacts.put(bytes);
    const shown = Object.entries(made.outputs).filter(([, ref]) => ref.hidden !== true);
    return {
      ...shared(),
      valid: true,
      outputs: await readAll(parts.values, shown),
      hidden: Object.keys(made.outputs).filter((port) => made.outputs[port]?.hidden === true),
      failure: null,
    };
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...shared(), valid: false, outputs: {}, hidden: [], failure: toForgeError(thrown).toFailure() };
  }
}

const sum = <T>(members: readonly T[], of: (member: T) => number): number =>
  members.reduce((total, member) => total + of(member), 0);

async function readAll(
  values: Values,
  refs: readonly (readonly [string, Parameters<Values['read']>[0]])[],
): Promise<Record<string, Json>> {
  return Object.fromEntries(
    await Promise.all(refs.map(async ([port, ref]) => [port, await values.read(ref)] as const)),
  );
}

/** The port with one model for all calls, whichever the node asks for; each is noted. */
function watched(models: ModelPort, model: string, written: PlayedCall[], calls: CountedCall[]): ModelPort {
  const note = (purpose: string, call: Omit<PlayedCall, 'purpose'>) => {
    written.push({ purpose, ...call });
    calls.push({ ...call, status: call.error === null ? 'ok' : 'failed' });
  };
  const failed = (purpose: string, { error, milliseconds }: Pick<FailedTry, 'error' | 'milliseconds'>) => {
    const [provider = '', name = ''] = models.identity(model).split(/:(.*)/);
    const usage = { input: 0, cached: 0, output: 0 };
    const text = `${error.code}: ${error.message}`;
    note(purpose, { provider, model: name, usage, usd: null, milliseconds, text: null, error: text });
  };
  return {
    rehearsed: models.rehearsed,
    identity: () => models.identity(model),
    async complete(request, signal) {
      let startedAt = Date.now();
      try {
        const { text, provider, usage, usd, milliseconds, ...result } = await models.complete(
          { ...request, model },
          signal,
          (again) => {
            startedAt = Date.now();
            failed(request.purpose, again);
          },
        );
        note(request.purpose, { provider, model: result.model, usage, usd, milliseconds, text, error: null });
        return { ...result, text, provider, usage, usd, milliseconds };
      } catch (thrown) {
        failed(request.purpose, { error: toForgeError(thrown), milliseconds: Date.now() - startedAt });
        throw thrown;
      }
    },
  };
}
