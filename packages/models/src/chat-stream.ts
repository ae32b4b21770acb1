import type { ForgeError } from '@cua-forge/spec/errors';
import type { Usage } from '@cua-forge/spec/model-port';
import { z } from 'zod';
import { feedEvents, maxAnswerCharacters } from './event-stream.ts';
import { brokenAnswer, errorForStatus, refusal, type ServerNames, serverErrorIn } from './http-errors.ts';

const UsageBody = z.object({
  prompt_tokens: z.number().int().nonnegative(),
  completion_tokens: z.number().int().nonnegative().default(0),
  prompt_tokens_details: z.object({ cached_tokens: z.number().int().nonnegative().nullish() }).nullish(),
});
const Part = z.object({ content: z.string().nullish(), refusal: z.string().nullish() });
const Choice = z.object({ delta: Part.nullish(), message: Part.nullish(), finish_reason: z.string().nullish() });
const Chunk = z.object({
  choices: z.array(Choice).default([]),
  usage: UsageBody.nullish(),
  model: z.string().nullish(),
});

export interface ChatAnswer {
  text: string;
  finish: 'stop' | 'length';
  usage: Usage;
}

/**
 * Reads an answer of /chat/completions, streamed or whole.
 * @throws ForgeError `model.unavailable` when it breaks off before its end or is no chat completion; `model.refused`
 */
export async function readChatAnswer(
  response: Response,
  names: { model: string; server: ServerNames },
): Promise<ChatAnswer> {
  const answer = new AnswerBuilder(names);
  if (response.headers.get('content-type')?.includes('text/event-stream'))
    await feedEvents(response, (data) => answer.add(data));
  else answer.add(await response.text());
  return answer.finished();
}

class AnswerBuilder {
  readonly #names: { model: string; server: ServerNames };
  #text = '';
  #refusal = '';
  #reason: string | undefined;
  #usage: Usage = { input: 0, cached: 0, output: 0 };

  constructor(names: { model: string; server: ServerNames }) {
    this.#names = names;
  }

  add(data: string): void {
    if (data.trim() === '[DONE]') return;
    const chunk = this.#parsed(data);
    for (const { delta, message, finish_reason } of chunk.choices.slice(0, 1)) {
      const part = delta ?? message;
      this.#text += part?.content ?? '';
      this.#refusal += part?.refusal ?? '';
      this.#reason = finish_reason ?? this.#reason;
    }
    if (chunk.usage != null) {
      const { prompt_tokens, completion_tokens, prompt_tokens_details } = chunk.usage;
      const cached = Math.min(prompt_tokens_details?.cached_tokens ?? 0, prompt_tokens);
      this.#usage = { input: prompt_tokens, cached, output: completion_tokens };
    }
    if (this.#text.length > maxAnswerCharacters) throw this.#broken('sent an answer without end');
  }

  finished(): ChatAnswer {
    if (this.#refusal !== '' || this.#reason === 'content_filter') throw refusal(this.#names.model, this.#refusal);
    if (this.#reason === undefined) throw this.#broken(`ended in mid-answer, after ${this.#text.length} characters`);
    return { text: this.#text, finish: this.#reason === 'length' ? 'length' : 'stop', usage: this.#usage };
  }

  #parsed(data: string): z.infer<typeof Chunk> {
    let json: unknown;
    try {
      json = JSON.parse(data);
    } catch (cause) {
      throw this.#broken('answered something that is no chat completion', cause);
    }
    const failed = serverErrorIn(data);
    if (failed !== undefined) {
      const status = /rate.?limit/i.test(`${failed.code} ${failed.message}`) ? 429 : 500;
      throw errorForStatus(status, data, { ...this.#names, retryAfter: null, now: 0 });
    }
    const chunk = Chunk.safeParse(json);
    if (!chunk.success) throw this.#broken('answered something that is no chat completion', chunk.error);
    return chunk.data;
  }

  #broken(what: string, cause?: unknown): ForgeError {
    return brokenAnswer(this.#names.server, what, cause);
  }
}
