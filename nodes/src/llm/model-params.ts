import type { ModelRequest } from '@cua-forge/spec/model-port';
import { z } from 'zod';

/** Params that every kind with a structured question has. */
export const modelParams = (temperature: number, maxOutputTokens: number) => ({
  temperature: z.number().min(0).max(2).default(temperature),
  maxOutputTokens: z.number().int().min(100).max(32_000).default(maxOutputTokens),
  model: z.string().min(1).optional().describe('Model of the provider; left out, the configured one.'),
});

export const modelSettings = (params: {
  temperature: number;
  maxOutputTokens: number;
  model?: string | undefined;
}) => ({
  temperature: params.temperature,
  maxOutputTokens: params.maxOutputTokens,
  ...(params.model === undefined ? {} : ({ model: params.model } satisfies Partial<ModelRequest>)),
});

/** What is asked about, set off from the words around it. */
export const quotedValue = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 1);
