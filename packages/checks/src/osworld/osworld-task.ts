import { z } from 'zod';

const Parameters = z.record(z.string(), z.unknown());
export const OsworldStep = z.object({ type: z.string(), parameters: Parameters.default({}) });
export type OsworldStep = z.infer<typeof OsworldStep>;

/** A source of what is looked at or expected; what else it has depends on `type`. */
export const OsworldGetter = z.looseObject({ type: z.string() });
export type OsworldGetter = z.infer<typeof OsworldGetter>;

const oneOrMany = <T extends z.ZodType>(schema: T) => z.union([z.array(schema), schema.transform((one) => [one])]);
const Getter = z.union([OsworldGetter, z.null(), z.strictObject({})]);

export const OsworldEvaluator = z.object({
  func: oneOrMany(z.string()),
  conj: z.enum(['and', 'or']).default('and'),
  result: oneOrMany(Getter).optional(),
  expected: oneOrMany(Getter).optional(),
  options: oneOrMany(Parameters.nullable()).optional(),
  postconfig: z.array(OsworldStep).default([]),
});
export type OsworldEvaluator = z.infer<typeof OsworldEvaluator>;

/** A task as OSWorld writes it, as far as it is read. */
export const OsworldTask = z.object({
  id: z.string().min(1),
  snapshot: z.string(),
  instruction: z.string().min(1),
  source: z.union([z.string(), z.array(z.string())]).default(''),
  related_apps: z.array(z.string()).default([]),
  config: z.array(OsworldStep).default([]),
  evaluator: OsworldEvaluator,
});
export type OsworldTask = z.infer<typeof OsworldTask>;
