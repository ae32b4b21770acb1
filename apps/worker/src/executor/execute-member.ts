import type { Redactor } from '@cua-forge/secrets/redactor';
import type { CodePort } from '@cua-forge/spec/code-port';
import type { Member, MemberInput, MemberResult, Slot } from '@cua-forge/spec/engine';
import type { Failure } from '@cua-forge/spec/errors';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { HttpPort } from '@cua-forge/spec/http-port';
import type { JsonObject } from '@cua-forge/spec/json';
import type { ExecuteContext, Kind, LogLevel, OfficePort } from '@cua-forge/spec/kind';
import { Verdict } from '@cua-forge/spec/kind';
import type { ModelPort } from '@cua-forge/spec/model-port';
import type { SandboxesPort } from '@cua-forge/spec/sandboxes-port';
import type { SecretsPort } from '@cua-forge/spec/secrets-port';
import type { NewArtifact, Outcome, RunRecord, Store } from '@cua-forge/spec/store-port';
import type { ValueRef } from '@cua-forge/spec/value';
import { z } from 'zod';
import { claimsOf, noClaims } from './claims.ts';
import type { CountedModels } from './counted-models.ts';
import { countedModels } from './counted-models.ts';
import type { KindRegistry, LoadedKind } from './kind-registry.ts';
import type { Memo } from './memo.ts';
import { memoKeyOf } from './memo.ts';
import type { ParsedParams } from './parsed-params.ts';
import { seedOf } from './seeds.ts';
import type { Values, WrittenValue } from './values.ts';
import { fingerprintOf } from './values.ts';

export interface ExecutorParts {
  store: Store;
  values: Values;
  memo: Memo;
  params: ParsedParams;
  kinds: KindRegistry;
  models: ModelPort;
  office: OfficePort;
  secrets: SecretsPort;
  /** Masks secrets in whatever is written down. */
  redactor: Redactor;
  http: HttpPort;
  code: CodePort;
  /** Sandboxes for one execution. `waiting` is told now and then that all rooms are taken. */
  sandboxes(lease: string, signal: AbortSignal, waiting: () => void): SandboxesPort;
  environment: string;
  now(): number;
}

export interface Delivery {
  signal: AbortSignal;
  /** Which delivery of the activity this is, from 1, and how many there may be. */
  attempt: number;
  attempts: number;
  /** Milliseconds that a commit may wait for others to share its transaction. */
  patience(): number;
  progress(key: string, message: string, fraction: number | undefined): void;
  log(member: Pick<Member, 'key' | 'token'>, line: string, level: LogLevel): void;
}

/** A failure that Temporal should repeat; nothing has been committed. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
  constructor(readonly error: ForgeError) {
    super(error.message, { cause: error });
  }
}

const NO_USAGE = { input: 0, cached: 0, output: 0 };

/**
 * Executes one node and commits how it ended. `made` holds the outputs of earlier members of the batch, by token. Answers null, committing nothing, when an input
 * is dead or was not made. @throws TryAgain for transient failures with attempts left; ForgeError `node.cancelled` when the signal says so
 */
export async function executeMember(
  parts: ExecutorParts,
  run: RunRecord,
  member: Member,
  made: ReadonlyMap<number, Record<string, ValueRef>>,
  delivery: Delivery,
): Promise<MemberResult | null> {
  const slots = await inputSlots(parts.values, member, made);
  if (!slots) return null;
  const startedAt = parts.now();
  const base = {
    runId: run.id,
    key: member.key,
    token: member.token,
    round: member.round,
    attempt: member.attempt,
    kind: member.kind,
    title: member.title,
    fingerprint: fingerprintOf({ ...member, inputs: slots }),
    params: member.params,
    inputs: slots,
    startedAt,
  };
  try {
    const loaded = await parts.kinds(member.kind, member.version);
    const seed = seedOf(run.seed, member.key);
    const { policy } = loaded.kind;
    const memoKey = policy.cacheable
      ? memoKeyOf({
          implementation: loaded.implementation,
          fingerprint: base.fingerprint,
          policy,
          seed,
          round: member.round,
          model: parts.models.identity(),
          environment: parts.environment,
        })
      : null;
    const execute = async (): Promise<Outcome> =>
      commit(
        parts,
        base,
        memoKey,
        await executeKind(parts, run, member, loaded, slots, seed, delivery),
        delivery.patience(),
      );
    if (memoKey === null) return resultOf(await execute());
    const answer = async (): Promise<Outcome> => {
      const known = member.bypassMemo || run.trial === true ? null : await parts.memo.find(memoKey);
      return known ? parts.store.meta.commitOutcome(fromMemo(base, known, parts.now()), []) : execute();
    };
    return resultOf(await parts.memo.inTurn(memoKey, delivery.signal, answer));
  } catch (thrown) {
    if (delivery.signal.aborted)
      throw new ForgeError('node.cancelled', `'${member.title}' was cancelled.`, {
        cause: parts.redactor.error(thrown),
      });
    const error = parts.redactor.error(toForgeError(thrown));
    if (retryable(error) && delivery.attempt < delivery.attempts) {
      const which = `Try ${delivery.attempt} of ${delivery.attempts}`;
      delivery.log(member, `${which} failed and is repeated. ${error.code}: ${error.message}`, 'warn');
      throw new TryAgain(error);
    }
    const failure = failureAt(error, member.key);
    const outcome: Outcome = {
      ...base,
      status: 'failed',
      outputs: {},
      verdict: null,
      failure,
      origin: 'executed',
      madeBy: null,
      memoKey: null,
      providers: [],
      usage: NO_USAGE,
      usd: 0,
      endedAt: parts.now(),
    };
    try {
      return resultOf(await parts.store.meta.commitOutcome(outcome, []));
    } catch (cause) {
      // The store itself is in the way: nothing is committed, so the work must come again.
      throw new TryAgain(toForgeError(cause));
    }
  }
}

const retryable = (error: ForgeError): boolean => {
  if (error.code === 'internal') return true;
  return (
    error.fault === 'transient' && !['artifact.missing', 'artifact.corrupt', 'model.bad-output'].includes(error.code)
  );
};

function failureAt(error: ForgeError, key: string): Failure {
  const failure = error.toFailure();
  return { ...failure, message: failure.message.slice(0, 4_000), place: { ...failure.place, node: key } };
}

/** Inputs with the batch's own values put in; null when a required one is missing. Ends of paths that nothing was made for are dead. */
async function inputSlots(
  values: Values,
  member: Member,
  made: ReadonlyMap<number, Record<string, ValueRef>>,
): Promise<Record<string, ValueRef[]> | null> {
  const slots: Record<string, ValueRef[]> = {};
  let connected = 0;
  let live = 0;
  for (const [port, inputs] of Object.entries(member.inputs)) {
    const refs: ValueRef[] = [];
    for (const input of inputs) {
      connected += 1;
      const slot = slotOf(input, made);
      if (slot === 'unmade') return null;
      if (slot === 'dead') continue;
      live += 1;
      refs.push(await values.refOf(slot));
    }
    if (refs.length > 0) slots[port] = refs;
    else if (member.required.includes(port)) return null;
  }
  return connected > 0 && live === 0 ? null : slots;
}

function slotOf(input: MemberInput, made: ReadonlyMap<number, Record<string, ValueRef>>): Slot | 'dead' | 'unmade' {
  if (!('token' in input)) return input;
  const outputs = made.get(input.token);
  return outputs ? (outputs[input.port] ?? 'dead') : 'unmade';
}

export interface Executed {
  outputs: Record<string, ValueRef>;
  artifacts: NewArtifact[];
  verdict: Verdict | null;
  usage: Outcome['usage'];
  usd: number | null;
  providers: string[];
}

/** What an execution takes from its run and its place in it. */
export type ExecutedRun = Pick<RunRecord, 'id' | 'skill' | 'seed' | 'documentId' | 'documentHash' | 'batchId'>;
export type ExecutedMember = Pick<Member, 'key' | 'token' | 'round' | 'attempt' | 'params' | 'multiple' | 'feedback'>;

/** Executes a kind and prepares its outputs for a commit. With `counting` it leaves no trace: its calls go there, and it claims nothing. */
export async function executeKind(
  parts: ExecutorParts,
  run: ExecutedRun,
  member: ExecutedMember,
  { kind }: LoadedKind,
  slots: Record<string, ValueRef[]>,
  seed: number,
  delivery: Delivery,
  counting?: CountedModels,
): Promise<Executed> {
  const params = await parts.params.of(kind, member.params);
  const { inputs, extra } = await readInputs(parts.values, kind, member, slots);
  const counted =
    counting ??
    countedModels(
      parts.models,
      parts.redactor,
      parts.store,
      parts.values,
      { runId: run.id, key: member.key, token: member.token, round: member.round, attempt: member.attempt },
      delivery.attempt,
    );
  const tainted = Object.values(slots).some((refs) => refs.some((ref) => ref.hidden === true));
  const context: ExecuteContext = {
    runId: run.id,
    key: member.key,
    round: member.round,
    seed,
    skill: run.skill,
    runSeed: run.seed,
    workflow: { id: run.documentId, version: run.documentHash },
    idempotencyKey: `${run.id}/${member.key}/${member.token}`,
    signal: delivery.signal,
    progress: (message, fraction) => delivery.progress(member.key, parts.redactor.text(message), fraction),
    log: (line, level = 'info') => {
      // What is made of a hidden input may say what it is.
      if (!tainted) delivery.log(member, parts.redactor.text(line), level);
    },
    files: {
      read: (file) => parts.store.artifacts.get(file.hash),
      write: async (name, mediaType, bytes) => ({
        name: parts.redactor.text(name),
        mediaType,
        ...(await parts.store.artifacts.put(parts.redactor.bytes(bytes))),
      }),
    },
    models: counted.port,
    office: parts.office,
    secrets: parts.secrets,
    http: parts.http,
    code: parts.code,
    sandboxes: parts.sandboxes(
      // A repeat of the execution has the same lease, a trial beside a run another.
      `${counting ? 'trial ' : ''}${run.id}#${member.token} ${member.key}`.slice(0, 200),
      delivery.signal,
      () => delivery.progress(member.key, 'Waiting for a sandbox', undefined),
    ),
    claims: counting ? noClaims : claimsOf(parts.store.meta, run, member.key, parts.now),
    feedback: member.feedback,
  };
  const result = parts.redactor.data(await kind.execute({ params, inputs, extra, context }));
  delivery.signal.throwIfAborted();
  const written = await writeOutputs(parts.values, kind, result, tainted);
  const verdict = kind.gate ? Verdict.parse(result.verdict) : null;
  return {
    outputs: Object.fromEntries(Object.entries(written).map(([port, { ref }]) => [port, ref])),
    artifacts: Object.values(written).flatMap(({ artifact }) => (artifact ? [artifact] : [])),
    verdict,
    usage: counted.calls.reduce(
      (sum, { usage }) => ({
        input: sum.input + usage.input,
        cached: sum.cached + usage.cached,
        output: sum.output + usage.output,
      }),
      NO_USAGE,
    ),
    usd: counted.calls.some(({ usd, usage }) => usd === null && usage.input + usage.output > 0)
      ? null
      : counted.calls.reduce((sum, call) => sum + (call.usd ?? 0), 0),
    providers: [
      ...new Set(
        counted.calls
          .filter((call) => call.status === 'ok')
          .map((call) => (call.provider === 'rehearsal' ? 'rehearsal' : `${call.provider}:${call.model}`)),
      ),
    ],
  };
}

async function readInputs(
  values: Values,
  kind: Kind,
  member: ExecutedMember,
  slots: Record<string, ValueRef[]>,
): Promise<{ inputs: Record<string, unknown>; extra: JsonObject }> {
  const inputs: Record<string, unknown> = {};
  const extra: JsonObject = {};
  for (const [port, refs] of Object.entries(slots)) {
    const read = await Promise.all(refs.map((ref) => values.read(ref))).catch((thrown: unknown) =>
      Promise.reject(atPort(thrown, port)),
    );
    const declared = kind.inputs[port];
    const first = read[0];
    if (!declared) {
      if (first !== undefined) extra[port] = member.multiple.includes(port) ? read : first;
      continue;
    }
    const parsed = (declared.multiple ? z.array(declared.schema) : declared.schema).safeParse(
      declared.multiple ? read : first,
    );
    if (!parsed.success)
      throw new ForgeError(
        'input.invalid',
        `Input '${port}' is not what '${kind.id}' takes: ${z.prettifyError(parsed.error)}`,
        { place: { port }, fix: 'Look at the value that arrives there, and at the node it comes from.' },
      );
    inputs[port] = parsed.data;
  }
  for (const [port, declared] of Object.entries(kind.inputs)) {
    if (port in inputs) continue;
    if (declared.multiple) inputs[port] = [];
    else if (declared.required)
      throw new ForgeError('input.invalid', `Input '${port}' of '${kind.id}' is missing.`, {
        place: { port },
        fix: 'Connect the port.',
      });
  }
  return { inputs, extra };
}

/** The same error with the port it happened at. */
function atPort(thrown: unknown, port: string): ForgeError {
  const { code, message, fix, place, retryAfterMs } = toForgeError(thrown);
  return new ForgeError(code, message, { fix, place: { ...place, port }, retryAfterMs, cause: thrown });
}

/** Port types that may carry anything, also what is hidden. */
const open = new Set(['any', 'json', 'list', 'table', 'hidden']);

async function writeOutputs(
  values: Values,
  kind: Kind,
  result: Record<string, unknown>,
  tainted: boolean,
): Promise<Record<string, WrittenValue>> {
  const written: Record<string, WrittenValue> = {};
  for (const [port, value] of Object.entries(result)) {
    if (value === undefined) continue;
    const declared = kind.outputs[port];
    if (!declared && !kind.outputsFromParam)
      throw new ForgeError('node.output-invalid', `'${kind.id}' has no output port '${port}'.`, { place: { port } });
    const parsed = declared?.schema.safeParse(value);
    if (parsed && !parsed.success)
      throw new ForgeError(
        'node.output-invalid',
        `'${kind.id}' made a value that does not fit its port '${port}': ${z.prettifyError(parsed.error)}`,
        { place: { port } },
      );
    const hidden =
      declared?.hidden === true ||
      declared?.type === 'hidden' ||
      (tainted && (!declared || open.has(declared.type)) && port !== 'verdict');
    written[port] = await values.write(value, { port, hidden });
  }
  return written;
}

type Base = Pick<
  Outcome,
  'runId' | 'key' | 'token' | 'round' | 'attempt' | 'kind' | 'title' | 'fingerprint' | 'params' | 'inputs' | 'startedAt'
>;

function commit(
  parts: ExecutorParts,
  base: Base,
  memoKey: string | null,
  { artifacts, ...executed }: Executed,
  patience: number,
): Promise<Outcome> {
  return parts.store.meta.commitOutcome(
    {
      ...base,
      ...executed,
      status: 'succeeded',
      failure: null,
      origin: 'executed',
      madeBy: null,
      memoKey,
      endedAt: parts.now(),
    },
    artifacts,
    [],
    patience,
  );
}

/** The outcome of a hit: same values, no usage of its own, and no memo key, so that the original stays the one that is found. */
function fromMemo(base: Base, known: Outcome, endedAt: number): Outcome {
  return {
    ...base,
    status: 'succeeded',
    outputs: known.outputs,
    verdict: known.verdict,
    failure: null,
    origin: 'memo',
    madeBy: known.madeBy ?? known.runId,
    memoKey: null,
    providers: known.providers,
    usage: NO_USAGE,
    usd: 0,
    endedAt,
  };
}

export function resultOf(outcome: Outcome): MemberResult {
  return {
    token: outcome.token,
    origin: outcome.origin,
    ...(outcome.failure ? { failure: outcome.failure } : { outputs: outcome.outputs }),
    ...(outcome.verdict ? { verdict: outcome.verdict } : {}),
  };
}
