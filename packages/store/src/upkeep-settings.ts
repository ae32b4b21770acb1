import { ForgeError } from '@cua-forge/spec/errors';
import { type Retention, shortestGraceHours, usualGraceHours } from '@cua-forge/spec/upkeep';
import { z } from 'zod';

const positive = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text === '' ? undefined : Number(text)))
  .pipe(z.number().positive().optional());

const Source = z.object({
  FORGE_KEEP_RUN_DAYS: positive,
  FORGE_KEEP_RUNS: positive.pipe(z.number().int().optional()),
  FORGE_KEEP_EVENT_DAYS: positive,
  FORGE_KEEP_MODEL_TEXT_DAYS: positive,
  FORGE_GC_GRACE_HOURS: positive.pipe(z.number().min(shortestGraceHours).optional()),
  FORGE_GC_EVERY_HOURS: positive,
});

export interface UpkeepSettings {
  retention: Retention;
  graceHours: number;
  /** How often a server collects by itself; undefined for never. */
  everyHours: number | undefined;
}

/**
 * Reads what is kept how long from an environment.
 * @throws ForgeError `input.invalid` naming the variables that are wrong
 */
export function upkeepSettings(source: Readonly<Record<string, string | undefined>>): UpkeepSettings {
  const parsed = Source.safeParse(source);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new ForgeError('input.invalid', `The settings of what is kept are not right. ${faults.join('; ')}.`, {
      fix: 'Correct these environment variables, or unset them to keep everything.',
    });
  }
  const env = parsed.data;
  const retention: Retention = {
    ...(env.FORGE_KEEP_RUN_DAYS === undefined ? {} : { runDays: env.FORGE_KEEP_RUN_DAYS }),
    ...(env.FORGE_KEEP_RUNS === undefined ? {} : { runsPerDocument: env.FORGE_KEEP_RUNS }),
    ...(env.FORGE_KEEP_EVENT_DAYS === undefined ? {} : { eventDays: env.FORGE_KEEP_EVENT_DAYS }),
    ...(env.FORGE_KEEP_MODEL_TEXT_DAYS === undefined ? {} : { modelTextDays: env.FORGE_KEEP_MODEL_TEXT_DAYS }),
  };
  return {
    retention,
    graceHours: env.FORGE_GC_GRACE_HOURS ?? usualGraceHours,
    everyHours: env.FORGE_GC_EVERY_HOURS,
  };
}

/**
 * Milliseconds of a grace period that a person asked for, or of the usual one.
 * @throws ForgeError `input.invalid` when it is too short to be safe
 */
export function graceMsOf(settings: UpkeepSettings, asked: number | undefined): number {
  const hours = asked ?? settings.graceHours;
  if (!(hours >= shortestGraceHours)) {
    throw new ForgeError('input.invalid', `A grace period of ${hours} hours is too short.`, {
      fix: `Give at least ${shortestGraceHours}: work that is under way may still hold a reference.`,
    });
  }
  return hours * 3_600_000;
}
