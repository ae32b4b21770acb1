import type { Store } from '@cua-forge/spec/store-port';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { z } from 'zod';

/** What of a stored prompt is sent to a provider. */
const Prompt = z.object({
  system: z.string().optional(),
  messages: z.array(z.object({ content: z.string() })),
  schema: z.json().optional(),
});

export interface TokenCount {
  input: number;
  output: number;
  calls: number;
  /** Calls that did not end with a usable answer, and those that corrected one. */
  failed: number;
}

/** Tokens that a chat message has besides its text. */
const aroundMessage = 4;

/**
 * Tokens of all calls of a run, those included whose answers were sent back. With `counted` they are what the models said they used;
 * otherwise a tokenizer counts the exact prompts, schemas and answers as they were stored.
 */
export async function tokensOfRun(store: Store, runId: string, counted: boolean): Promise<TokenCount> {
  const calls = await store.meta.listModelCalls(runId);
  const total: TokenCount = { input: 0, output: 0, calls: calls.length, failed: 0 };
  for (const call of calls) {
    if (call.status !== 'ok') total.failed += 1;
    if (counted) {
      total.input += call.usage.input;
      total.output += call.usage.output;
      continue;
    }
    // A call that was never made has no prompt.
    if (call.prompt === null) continue;
    const { system, messages, schema } = Prompt.parse(await readJson(store, call.prompt.hash));
    const texts = [...(system === undefined ? [] : [system]), ...messages.map(({ content }) => content)];
    total.input += texts.reduce((sum, text) => sum + countTokens(text) + aroundMessage, 0);
    // Providers are sent the schema beside the text that repeats it.
    if (schema !== undefined) total.input += countTokens(JSON.stringify(schema));
    if (call.response !== null) total.output += countTokens(String(await readJson(store, call.response.hash)));
  }
  return total;
}

async function readJson(store: Store, hash: string): Promise<unknown> {
  return JSON.parse(Buffer.from(await store.artifacts.get(hash)).toString('utf8'));
}
