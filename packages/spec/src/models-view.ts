import { z } from 'zod';
import { Failure } from './errors.ts';
import { Json, JsonObject } from './json.ts';
import { Usage } from './model-port.ts';
import { Hash, ValueRef } from './value.ts';

/** US dollars per million tokens, as they hold today. */
export const ShownPrice = z.strictObject({
  validFrom: z.string(),
  input: z.number(),
  cached: z.number(),
  cacheWrite: z.number().nullable(),
  output: z.number(),
});

export const ProviderView = z.strictObject({
  name: z.string(),
  /** Whether nodes that name no provider are answered by it, and with which model. */
  isDefault: z.boolean(),
  model: z.string().nullable(),
  /** Address that is asked; null where nothing is. */
  address: z.string().nullable(),
  /** Whether a key is there; the key itself is never shown. */
  key: z.enum(['set', 'missing', 'not needed']),
  ready: z.boolean(),
  /** What is missing, or what there is to know. */
  detail: z.string(),
  /** Models with a known price, and local ones that are here. */
  models: z.array(z.strictObject({ name: z.string(), price: ShownPrice.nullable() })),
});
export type ProviderView = z.infer<typeof ProviderView>;

/** GET /api/models: as the worker that was asked has it. */
export const ModelsView = z.strictObject({
  providers: z.array(ProviderView),
  /** Where answers are recorded or replayed from; null where they are not. */
  cassettes: z.string().nullable(),
});
export type ModelsView = z.infer<typeof ModelsView>;

/** A model as nodes name it: `anthropic:claude-sonnet-4-5`, a model of the default provider, or a provider alone (`openai`). */
export const ModelName = z.string().min(1).max(200);

/** POST /api/models/test: one tiny call. */
export const TestModel = z.strictObject({ model: ModelName.optional() });
export const ModelTest = z.strictObject({
  /** What was asked for; null for the default. */
  model: z.string().nullable(),
  ok: z.boolean(),
  provider: z.string(),
  /** Model that answered. */
  answeredBy: z.string(),
  text: z.string(),
  milliseconds: z.number(),
  usage: Usage,
  usd: z.number().nullable(),
  failure: Failure.nullable(),
});
export type ModelTest = z.infer<typeof ModelTest>;

/**
 * POST /api/playground: one node with several models, side by side. Its params and inputs are those it had in a run, or those of the
 * document; what is given here replaces them. Nothing is committed to a run.
 */
export const PlayNode = z.strictObject({
  documentId: z.string().optional(),
  /** Path of the node. */
  node: z.string().min(1),
  /** Run to take params and inputs from. */
  run: z.string().optional(),
  /** Values by port, one for each edge. */
  inputs: z.record(z.string(), z.array(Json)).default({}),
  params: JsonObject.optional(),
  models: z.array(ModelName).min(1).max(8),
  seed: z.number().int().default(1),
});
export type PlayNode = z.infer<typeof PlayNode>;

/** One call of a model while a node was played. */
export const PlayedCall = z.strictObject({
  purpose: z.string(),
  provider: z.string(),
  model: z.string(),
  usage: Usage,
  usd: z.number().nullable(),
  milliseconds: z.number(),
  /** The answer as it came, before it was checked; null for a call that failed. */
  text: z.string().nullable(),
  error: z.string().nullable(),
});
export type PlayedCall = z.infer<typeof PlayedCall>;

export const Played = z.strictObject({
  model: z.string(),
  /** Whether the node took the answer. */
  valid: z.boolean(),
  /** Whether no model was asked at all. */
  rehearsed: z.boolean(),
  outputs: z.record(z.string(), Json),
  /** Ports whose values are kept back. */
  hidden: z.array(z.string()),
  failure: Failure.nullable(),
  calls: z.array(PlayedCall),
  usage: Usage,
  usd: z.number().nullable(),
  seconds: z.number(),
});
export type Played = z.infer<typeof Played>;

export const PlayResult = z.strictObject({
  /** What these values are, wherever they are shown. */
  label: z.literal('playground'),
  node: z.string(),
  kind: z.string(),
  seed: z.number().int(),
  results: z.array(Played),
});
export type PlayResult = z.infer<typeof PlayResult>;

/** A question to a worker that belongs to no run, as the server asks it through Temporal. */
export const Consultation = z.discriminatedUnion('what', [
  z.strictObject({ what: z.literal('models') }),
  z.strictObject({ what: z.literal('test'), model: z.string().nullable() }),
  z.strictObject({
    what: z.literal('play'),
    key: z.string(),
    kind: z.string(),
    version: z.number().int(),
    params: Hash,
    inputs: z.record(z.string(), z.array(ValueRef)),
    /** Ports that take a list. */
    multiple: z.array(z.string()),
    models: z.array(z.string()),
    seed: z.number().int(),
    skill: z.string(),
    workflow: z.strictObject({ id: z.string(), version: z.string() }),
    round: z.number().int().positive(),
  }),
  /** `question` is the artifact with document and words: neither stands in a history. */
  /** Pictures of the pages of a file. */
  z.strictObject({ what: z.literal('pages'), hash: Hash, name: z.string() }),
  z.strictObject({ what: z.literal('propose'), question: Hash, model: z.string().nullable() }),
]);
export type Consultation = z.infer<typeof Consultation>;
/** Artifact that holds the answer; values stay out of histories. */
export const ConsultationAnswer = z.strictObject({ hash: Hash });
export type ConsultationAnswer = z.infer<typeof ConsultationAnswer>;
