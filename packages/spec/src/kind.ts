import { z } from 'zod';
import type { ClaimsPort } from './claims-port.ts';
import type { CodePort } from './code-port.ts';
import type { HttpPort } from './http-port.ts';
import type { Json, JsonObject } from './json.ts';
import type { ModelPort } from './model-port.ts';
import { PortType } from './port-type.ts';
import type { SandboxesPort } from './sandboxes-port.ts';
import type { SecretsPort } from './secrets-port.ts';
import type { FileValue } from './value.ts';

/** Which task queue runs a kind: `light` for quick work, `model` for model calls, `heavy` for work that fills a core. */
export const QueueName = z.enum(['light', 'model', 'heavy']);
export type QueueName = z.infer<typeof QueueName>;

export const Policy = z.strictObject({
  queue: QueueName,
  /** Milliseconds one attempt may take. */
  timeoutMs: z.number().int().positive(),
  /** Milliseconds without a heartbeat after which the attempt counts as lost. */
  heartbeatMs: z.number().int().positive(),
  /** Attempts the engine makes by itself while failures are retryable. */
  attempts: z.number().int().min(1),
  /** First wait between attempts in milliseconds; doubles each time, up to a minute. */
  backoffMs: z.number().int().positive(),
  effects: z.enum(['none', 'external', 'sandbox']),
  /** Whether an equal input may be answered from an earlier run. */
  cacheable: z.boolean(),
  /** Pure and quick (a few milliseconds): may run in a region with its neighbours. */
  cheap: z.boolean(),
  /** Whether the output depends on the seed of the run. */
  seeded: z.boolean(),
  /** Whether the kind calls a model, so that the model is part of the memo key. */
  callsModel: z.boolean(),
});
export type Policy = z.infer<typeof Policy>;

export const InputPortMeta = z.strictObject({
  type: PortType,
  doc: z.string(),
  required: z.boolean(),
  /** Takes any number of edges; the node receives a list in the order of the document's edges. */
  multiple: z.boolean(),
});
export type InputPortMeta = z.infer<typeof InputPortMeta>;

export const OutputPortMeta = z.strictObject({
  type: PortType,
  doc: z.string(),
  /** Holds answers or secrets: no preview of it is ever written to a history or a log. */
  hidden: z.boolean(),
});
export type OutputPortMeta = z.infer<typeof OutputPortMeta>;

/** Kinds that the interpreter itself carries out, instead of an executor. */
export const FlowOp = z.enum(['merge', 'subgraph', 'map', 'repeat', 'approval', 'delay']);
export type FlowOp = z.infer<typeof FlowOp>;

/** What every process but the worker knows of a kind; generated into kinds.generated.json. */
export const KindMeta = z.strictObject({
  id: z.string().regex(/^[a-z]+\.[a-z][a-z0-9-]*$/),
  version: z.number().int().min(1),
  title: z.string(),
  /** One sentence. */
  doc: z.string(),
  /** JSON Schema (draft 2020-12) of the params. */
  params: z.record(z.string(), z.unknown()),
  inputs: z.record(z.string(), InputPortMeta),
  outputs: z.record(z.string(), OutputPortMeta),
  /** Name of a param, a record of port name → port type, that declares further input ports. */
  inputsFromParam: z.string().optional(),
  /** Likewise for output ports. */
  outputsFromParam: z.string().optional(),
  policy: Policy,
  flow: FlowOp.optional(),
  /** Has a verdict (pass, repair, reject) and may name a repair target. */
  gate: z.boolean(),
  /** SHA-256 over the kind's source and its local imports; part of memo keys. */
  implementation: z.string(),
  example: z.record(z.string(), z.unknown()),
});
export type KindMeta = z.infer<typeof KindMeta>;

/** An input port in code: `schema` is checked before `execute` runs. */
export interface InputPort<T = unknown> {
  type: PortType;
  schema: z.ZodType<T>;
  doc: string;
  required: boolean;
  multiple: boolean;
}
export interface OutputPort<T = unknown> {
  type: PortType;
  schema: z.ZodType<T>;
  doc: string;
  hidden: boolean;
}

export function input<T>(
  type: PortType,
  schema: z.ZodType<T>,
  doc: string,
): InputPort<T> & { required: true; multiple: false } {
  return { type, schema, doc, required: true, multiple: false };
}
export function optionalInput<T>(
  type: PortType,
  schema: z.ZodType<T>,
  doc: string,
): InputPort<T> & { required: false; multiple: false } {
  return { type, schema, doc, required: false, multiple: false };
}
/** A port that takes any number of edges; `schema` is that of one value. */
export function manyInput<T>(
  type: PortType,
  schema: z.ZodType<T>,
  doc: string,
  required = false,
): InputPort<T> & { multiple: true } {
  return { type, schema, doc, required, multiple: true };
}
export function output<T>(type: PortType, schema: z.ZodType<T>, doc: string, hidden = false): OutputPort<T> {
  return { type, schema, doc, hidden };
}

type InputValue<P> =
  P extends InputPort<infer T>
    ? P extends { multiple: true }
      ? T[]
      : P extends { required: true }
        ? T
        : T | undefined
    : never;
export type InputValues<I> = { [K in keyof I]: InputValue<I[K]> };
export type OutputValues<O> = { [K in keyof O]?: O[K] extends OutputPort<infer T> ? T : never };

/** What opening a file in its application showed. `opened: null` means that the application is not installed here. */
export interface OpenReport {
  opened: boolean | null;
  application: string;
  detail: string;
}

/** What `OfficePort.convert` can make, by the ending of the result. */
export const OfficeFormat = z.enum(['pdf', 'xlsx', 'ods', 'csv', 'docx', 'odt', 'txt', 'html']);
export type OfficeFormat = z.infer<typeof OfficeFormat>;

/** LibreOffice, where it is installed. Each call has its own profile and a time limit. */
export interface OfficePort {
  /** Loads the file and converts it to PDF; a file that does not load is `opened: false`. Throws only when cancelled. */
  open(name: string, bytes: Uint8Array, signal: AbortSignal): Promise<OpenReport>;
  /**
   * Converts a file; the ending of `name` says what it is. Formulas of workbooks are calculated anew, so `xlsx` to `xlsx`
   * gives right cached values. Texts (`csv`: first sheet, `txt`, `html`) are UTF-8.
   * @throws ForgeError `tool.missing` where LibreOffice is not installed, `file.unreadable` for a file that does not load or
   * cannot become `to`, `node.cancelled`
   */
  convert(name: string, bytes: Uint8Array, to: OfficeFormat, signal: AbortSignal): Promise<Uint8Array>;
}

/** Everything a kind may touch. Kinds import no adapter; whatever reaches outside arrives here. */
export const LogLevel = z.enum(['info', 'warn']);
export type LogLevel = z.infer<typeof LogLevel>;

export interface ExecuteContext {
  readonly runId: string;
  /** Path of the node in the run, for example `files[3]/draft`. */
  readonly key: string;
  /** Repair round, from 1. */
  readonly round: number;
  /** 32-bit seed, derived from the run's seed and the node's path: stable across attempts, different for each map item. */
  readonly seed: number;
  readonly skill: string;
  /** The run's own seed, as the operator gave it: for labels only, draws use `seed`. */
  readonly runSeed: number;
  /** The document that the run executes; `version` is the document's content hash. */
  readonly workflow: { readonly id: string; readonly version: string };
  /** Same for every repeat of this execution: hand it to external systems that deduplicate. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Reports progress (also a heartbeat). `fraction` in 0..1. */
  progress(message: string, fraction?: number): void;
  /** Adds a line to the node's log, for people who look at it later. The first 200 of an execution are kept. Never give it a hidden value. */
  log(line: string, level?: LogLevel): void;
  readonly files: {
    /** @throws ForgeError `artifact.missing` or `artifact.corrupt` */
    read(file: FileValue): Promise<Uint8Array>;
    write(name: string, mediaType: string, bytes: Uint8Array): Promise<FileValue>;
  };
  readonly models: ModelPort;
  readonly office: OfficePort;
  readonly secrets: SecretsPort;
  readonly http: HttpPort;
  readonly code: CodePort;
  readonly claims: ClaimsPort;
  readonly sandboxes: SandboxesPort;
  /** Feedback of the gates that sent this node into another round, oldest first. Empty in round 1. */
  readonly feedback: readonly string[];
}

/** What a gate says: evidence always, feedback when it asks for a repair. */
export const Verdict = z.strictObject({
  verdict: z.enum(['pass', 'repair', 'reject']),
  /** One line for each thing that was looked at: what was expected and what was seen. */
  evidence: z.array(z.strictObject({ check: z.string(), ok: z.boolean(), detail: z.string() })).min(1),
  /** For the author of the rejected thing (a model or a sampler): what to change. */
  feedback: z.string().optional(),
  /** Id of the gate kind; `defineKind` writes it. */
  gate: z.string().optional(),
});
export type Verdict = z.infer<typeof Verdict>;

type InputPorts = Record<string, InputPort>;
type OutputPorts = Record<string, OutputPort>;

export interface ExecuteArguments<P, I> {
  params: P;
  inputs: InputValues<I>;
  /** Values of the ports that `inputsFromParam` declares. */
  extra: JsonObject;
  context: ExecuteContext;
}

export interface KindDefinition<P extends z.ZodType, I extends InputPorts, O extends OutputPorts> {
  id: string;
  version: number;
  title: string;
  doc: string;
  params: P;
  inputs: I;
  outputs: O;
  inputsFromParam?: string;
  outputsFromParam?: string;
  policy: Policy;
  flow?: FlowOp;
  gate?: boolean;
  /** Params of the version it is the key of → params of the next version. */
  migrations?: Record<number, (params: JsonObject) => JsonObject>;
  /** A small working use of the kind, run by the conformance test. Inputs are plain values; a `file` may be `{name, mediaType, text}` or `{name, mediaType, base64}`. */
  example: { params: JsonObject; inputs: JsonObject };
  /** Ports left out of the result are dead: what hangs on them is skipped. */
  execute(args: ExecuteArguments<z.output<P>, I>): Promise<OutputValues<O> & { [port: string]: unknown }>;
}

/** A kind with its types erased, as registries and the executor hold it. */
export interface Kind {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly doc: string;
  readonly params: z.ZodType;
  readonly inputs: InputPorts;
  readonly outputs: OutputPorts;
  readonly inputsFromParam?: string;
  readonly outputsFromParam?: string;
  readonly policy: Policy;
  readonly flow?: FlowOp;
  readonly gate: boolean;
  readonly migrations: Record<number, (params: JsonObject) => JsonObject>;
  readonly example: { params: JsonObject; inputs: JsonObject };
  /** `inputs` must have passed the ports' schemas and `params` the kind's. */
  execute(args: {
    params: unknown;
    inputs: Record<string, unknown>;
    extra: JsonObject;
    context: ExecuteContext;
  }): Promise<Record<string, unknown>>;
}

/** Declares a kind. A gate's `execute` returns its `Verdict` on the port `verdict`, besides the values that it lets through. */
export function defineKind<P extends z.ZodType, I extends InputPorts, O extends OutputPorts>(
  definition: KindDefinition<P, I, O>,
): Kind {
  const { execute, ...rest } = definition;
  return {
    ...rest,
    gate: definition.gate ?? false,
    migrations: definition.migrations ?? {},
    async execute({ params, inputs, extra, context }) {
      // The executor has parsed both with the schemas that these types come from.
      const args = { params: params as z.output<P>, inputs: inputs as InputValues<I>, extra, context };
      const outputs = await execute(args);
      return definition.gate === true ? withGateName(definition.id, outputs) : outputs;
    },
  };
}

function withGateName(gate: string, outputs: Record<string, unknown>): Record<string, unknown> {
  const verdict = Verdict.safeParse(outputs.verdict);
  return verdict.success ? { ...outputs, verdict: { ...verdict.data, gate } } : outputs;
}

/** Sensible defaults for `policy`; override what differs. */
export const policies = {
  /** Pure and quick: runs in a region. */
  cheap: {
    queue: 'light',
    timeoutMs: 30_000,
    heartbeatMs: 15_000,
    attempts: 3,
    backoffMs: 200,
    effects: 'none',
    cacheable: true,
    cheap: true,
    seeded: false,
    callsModel: false,
  },
  /** Pure but slow: makes or reads a file, say. */
  pure: {
    queue: 'light',
    timeoutMs: 120_000,
    heartbeatMs: 15_000,
    attempts: 3,
    backoffMs: 500,
    effects: 'none',
    cacheable: true,
    cheap: false,
    seeded: false,
    callsModel: false,
  },
  /** Runs another program that fills a core. */
  heavy: {
    queue: 'heavy',
    timeoutMs: 300_000,
    heartbeatMs: 15_000,
    attempts: 3,
    backoffMs: 1_000,
    effects: 'none',
    cacheable: true,
    cheap: false,
    seeded: false,
    callsModel: false,
  },
  model: {
    queue: 'model',
    timeoutMs: 600_000,
    heartbeatMs: 15_000,
    attempts: 5,
    backoffMs: 1_000,
    effects: 'none',
    cacheable: true,
    cheap: false,
    seeded: true,
    callsModel: true,
  },
} as const satisfies Record<string, Policy>;

/** The part of a kind that may leave the worker. `jsonSchemaOf` turns a zod schema into JSON Schema. */
export function metaOf(
  kind: Kind,
  implementation: string,
  jsonSchemaOf: (schema: z.ZodType) => Record<string, unknown>,
): KindMeta {
  const ports = <T extends object>(all: Record<string, T>, keys: readonly (keyof T)[]) =>
    Object.fromEntries(
      Object.entries(all).map(([name, port]) => [name, Object.fromEntries(keys.map((key) => [key, port[key]]))]),
    );
  return KindMeta.parse({
    id: kind.id,
    version: kind.version,
    title: kind.title,
    doc: kind.doc,
    params: jsonSchemaOf(kind.params),
    inputs: ports(kind.inputs, ['type', 'doc', 'required', 'multiple']),
    outputs: ports(kind.outputs, ['type', 'doc', 'hidden']),
    ...(kind.inputsFromParam === undefined ? {} : { inputsFromParam: kind.inputsFromParam }),
    ...(kind.outputsFromParam === undefined ? {} : { outputsFromParam: kind.outputsFromParam }),
    policy: kind.policy,
    ...(kind.flow === undefined ? {} : { flow: kind.flow }),
    gate: kind.gate,
    implementation,
    example: kind.example,
  });
}

export type { Json };
