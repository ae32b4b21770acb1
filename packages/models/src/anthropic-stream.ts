import type { ForgeError } from '@cua-forge/spec/errors';
import type { Usage } from '@cua-forge/spec/model-port';
import { z } from 'zod';
import { feedEvents, maxAnswerCharacters } from './event-stream.ts';
import { brokenAnswer, errorForStatus, refusal, type ServerNames, serverErrorIn } from './http-errors.ts';

const Count = z.number().int().nonnegative().nullish();
const UsageBody = z.object({
  input_tokens: Count,
  cache_creation_input_tokens: Count,
  cache_read_input_tokens: Count,
  output_tokens: Count,
});
const Block = z.object({ type: z.string(), text: z.string().nullish(), input: z.json().nullish() });

/** The events that matter; others, such as pings, are left alone. */
const Event = z.object({
  type: z.string(),
  message: z.object({ usage: UsageBody.nullish() }).nullish(),
  content_block: Block.nullish(),
  delta: z
    .object({
      type: z.string().nullish(),
      text: z.string().nullish(),
      partial_json: z.string().nullish(),
      stop_reason: z.string().nullish(),
    })
    .nullish(),
  usage: UsageBody.nullish(),
});
/** An answer that was not streamed. */
const Whole = z.object({
  type: z.literal('message'),
  content: z.array(Block),
  stop_reason: z.string().nullish(),
  usage: UsageBody,
});

export interface MessageAnswer {
  text: string;
  /** Input of the tool, as JSON text; null when the model used none. */
  toolInput: string | null;
  finish: 'stop' | 'length';
  usage: Usage;
}

/**
 * Reads an answer of /messages, streamed or whole.
 * @throws ForgeError `model.unavailable` when it breaks off before its end or is no message; `model.refused`
 */
export async function readMessage(
  response: Response,
  names: { model: string; server: ServerNames },
): Promise<MessageAnswer> {
  const answer = new MessageBuilder(names);
  if (response.headers.get('content-type')?.includes('text/event-stream'))
    await feedEvents(response, (data) => answer.add(data));
  else answer.addWhole(await response.text());
  return answer.finished();
}

class MessageBuilder {
  readonly #names: { model: string; server: ServerNames };
  #text = '';
  #toolInput: string | null = null;
  #reason: string | undefined;
  #ended = false;
  #input = 0;
  #cached = 0;
  #written = 0;
  #output = 0;

  constructor(names: { model: string; server: ServerNames }) {
    this.#names = names;
  }

  add(data: string): void {
    const event = Event.safeParse(this.#json(data));
    if (!event.success) throw this.#broken('answered something that is no event of a message', event.error);
    const { type, message, content_block: block, delta, usage } = event.data;
    if (type === 'content_block_start' && block?.type === 'tool_use') this.#toolInput ??= '';
    this.#text += (block?.text ?? '') + (delta?.text ?? '');
    if (typeof delta?.partial_json === 'string') this.#toolInput = (this.#toolInput ?? '') + delta.partial_json;
    this.#reason = delta?.stop_reason ?? this.#reason;
    if (type === 'message_stop') this.#ended = true;
    this.#count(message?.usage);
    this.#count(usage);
    if (this.#text.length + (this.#toolInput?.length ?? 0) > maxAnswerCharacters)
      throw this.#broken('sent an answer without end');
  }

  addWhole(body: string): void {
    const whole = Whole.safeParse(this.#json(body));
    if (!whole.success) throw this.#broken('answered something that is no message', whole.error);
    for (const { type, text, input } of whole.data.content) {
      if (type === 'tool_use') this.#toolInput = JSON.stringify(input ?? {});
      else this.#text += text ?? '';
    }
    this.#reason = whole.data.stop_reason ?? undefined;
    this.#ended = true;
    this.#count(whole.data.usage);
  }

  finished(): MessageAnswer {
    if (this.#reason === 'refusal') throw refusal(this.#names.model, this.#text);
    if (!this.#ended || this.#reason === undefined)
      throw this.#broken(`ended in mid-answer, after ${this.#text.length + (this.#toolInput?.length ?? 0)} characters`);
    const cut = this.#reason === 'max_tokens' || this.#reason === 'model_context_window_exceeded';
    return {
      text: this.#text,
      toolInput: this.#toolInput,
      finish: cut ? 'length' : 'stop',
      usage: {
        input: this.#input + this.#cached + this.#written,
        cached: this.#cached,
        ...(this.#written === 0 ? {} : { cacheWrite: this.#written }),
        output: this.#output,
      },
    };
  }

  /** This API counts what was cached beside the other input; later counts replace earlier ones. */
  #count(usage: z.infer<typeof UsageBody> | null | undefined): void {
    this.#input = usage?.input_tokens ?? this.#input;
    this.#cached = usage?.cache_read_input_tokens ?? this.#cached;
    this.#written = usage?.cache_creation_input_tokens ?? this.#written;
    this.#output = usage?.output_tokens ?? this.#output;
  }

  #json(data: string): unknown {
    let json: unknown;
    try {
      json = JSON.parse(data);
    } catch (cause) {
      throw this.#broken('answered something that is not JSON', cause);
    }
    const failed = serverErrorIn(data);
    if (failed !== undefined) {
      const status = /rate.?limit/i.test(failed.code) ? 429 : /overloaded/i.test(failed.code) ? 529 : 500;
      throw errorForStatus(status, data, { ...this.#names, retryAfter: null, now: 0 });
    }
    return json;
  }

  #broken(what: string, cause?: unknown): ForgeError {
    return brokenAnswer(this.#names.server, what, cause);
  }
}
