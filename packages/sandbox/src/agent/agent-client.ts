import type { Duplex } from 'node:stream';
import { type ErrorCode, ForgeError } from '@cua-forge/spec/errors';
import { AgentMessage, type AgentOperation, type AgentResult, agentResults } from '@cua-forge/spec/sandbox-messages';
import { z } from 'zod';

/** Bytes of one line from the agent: a screenshot of the largest screen, and what comes before anything is believed. */
const maxLineBytes = 192 * 1024 * 1024;

const codes = {
  refused: 'sandbox.refused',
  timeout: 'sandbox.timeout',
  lost: 'sandbox.lost',
  failed: 'sandbox.failed',
} as const satisfies Record<string, ErrorCode>;

interface Waiting {
  operation: AgentOperation;
  resolve(result: unknown): void;
  reject(error: ForgeError): void;
  onStream: ((stream: 'stdout' | 'stderr' | 'data', data: string) => void) | undefined;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
  onStream?: (stream: 'stdout' | 'stderr' | 'data', data: string) => void;
  /** Milliseconds after which a silent agent counts as lost. */
  withinMs?: number;
}

/** Speaks JSON lines with one agent. Nothing that the agent sends is believed before its schema has passed. */
export class AgentClient {
  readonly #stream: Duplex;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #parts: Buffer[] = [];
  #size = 0;
  #gone: ForgeError | null = null;

  constructor(stream: Duplex) {
    this.#stream = stream;
    stream.on('data', (data: Buffer) => this.#take(data));
    stream.on('error', (error) => this.#lose(`the connection broke (${error.message})`));
    stream.on('close', () => this.#lose('the connection closed'));
    stream.on('end', () => this.#lose('the connection closed'));
  }

  get lost(): boolean {
    return this.#gone !== null;
  }

  call<Op extends AgentOperation>(operation: Op, args: object, options: CallOptions = {}): Promise<AgentResult<Op>> {
    const { signal, onStream, withinMs = 60_000 } = options;
    const id = ++this.#last;
    return new Promise<unknown>((resolve, reject) => {
      if (this.#gone !== null) return reject(this.#gone);
      if (signal?.aborted) return reject(cancelled(operation));
      const timer = setTimeout(() => {
        this.#cancel(id);
        settle(id, () =>
          reject(
            new ForgeError('sandbox.lost', `The sandbox did not answer '${operation}' within ${withinMs / 1000} s.`, {
              fix: 'Reset it.',
            }),
          ),
        );
      }, withinMs);
      const abort = (): void => {
        this.#cancel(id);
        settle(id, () => reject(cancelled(operation)));
      };
      const settle = (settled: number, done: () => void): void => {
        if (!this.#waiting.delete(settled)) return;
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        done();
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.set(id, {
        operation,
        onStream,
        resolve: (result) => settle(id, () => resolve(result)),
        reject: (error) => settle(id, () => reject(error)),
      });
      this.#stream.write(`${JSON.stringify({ id, op: operation, args })}\n`);
    }).then((result) => parseResult(operation, result));
  }

  close(): void {
    this.#lose('it was let go');
    this.#stream.destroy();
  }

  #cancel(id: number): void {
    if (this.#gone === null) this.#stream.write(`${JSON.stringify({ cancel: id })}\n`);
  }

  #take(data: Buffer): void {
    let rest = data;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      this.#parts.push(rest.subarray(0, end));
      const line = Buffer.concat(this.#parts).toString('utf8');
      this.#parts = [];
      this.#size = 0;
      rest = rest.subarray(end + 1);
      this.#answer(line);
    }
    if (rest.length === 0) return;
    this.#parts.push(rest);
    this.#size += rest.length;
    if (this.#size > maxLineBytes) {
      this.#lose(`it sent a line of more than ${maxLineBytes} bytes`);
      this.#stream.destroy();
    }
  }

  #answer(line: string): void {
    const message = AgentMessage.safeParse(parsed(line));
    if (!message.success) {
      this.#lose('it sent something that is no answer');
      this.#stream.destroy();
      return;
    }
    const waiting = this.#waiting.get(message.data.id);
    if (waiting === undefined) return;
    if ('stream' in message.data) waiting.onStream?.(message.data.stream, message.data.data);
    else if (message.data.ok) waiting.resolve(message.data.result);
    else {
      const { code, message: text, fix } = message.data.error;
      waiting.reject(new ForgeError(codes[code], text, fix === undefined ? {} : { fix }));
    }
  }

  #lose(why: string): void {
    this.#gone ??= new ForgeError('sandbox.lost', `The sandbox is gone: ${why}.`, {
      fix: 'Make a new one; what was not saved outside is lost.',
    });
    for (const waiting of [...this.#waiting.values()]) waiting.reject(this.#gone);
  }
}

function parseResult<Op extends AgentOperation>(operation: Op, result: unknown): AgentResult<Op> {
  const schema: z.ZodType = agentResults[operation];
  const answer = schema.safeParse(result);
  if (!answer.success)
    throw new ForgeError(
      'sandbox.failed',
      `The sandbox's answer to '${operation}' is malformed: ${z.prettifyError(answer.error)}`,
    );
  return answer.data as AgentResult<Op>;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function cancelled(operation: string): ForgeError {
  return new ForgeError('node.cancelled', `'${operation}' was cancelled.`);
}
