import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ForgeError } from '@cua-forge/spec/errors';
import type { JsonObject } from '@cua-forge/spec/json';
import { z } from 'zod';
import { cancelled } from '../waiting.ts';

/** What is asked of the process; `packages/models/runtime/llama-runner.mjs` reads it. */
export interface RunnerRequest {
  system?: string;
  messages: { role: 'user' | 'assistant'; content: string }[];
  schema?: JsonObject;
  maxTokens: number;
  temperature: number;
  seed: number;
}

const Count = z.number().int().nonnegative();
const Answer = z.object({
  id: Count,
  text: z.string(),
  finish: z.enum(['stop', 'length']),
  input: Count,
  cached: Count,
  output: Count,
});
export type RunnerAnswer = z.infer<typeof Answer>;
const Problem = z.object({ id: Count, error: z.string(), reason: z.enum(['cancelled', 'too-large', 'failed']) });
const Line = z.union([z.object({ ready: z.literal(true) }), z.object({ failed: z.string() }), Answer, Problem]);

export interface RunnerOptions {
  entry: string;
  weights: string;
  context: number;
  threads: number;
  /** Named in messages. */
  name: string;
}

export interface Runner {
  /** False once its process has ended; then a new one is needed. */
  readonly alive: boolean;
  /** @throws ForgeError `model.prompt-too-large`, `model.unavailable`, `node.cancelled` */
  ask(request: RunnerRequest, signal: AbortSignal): Promise<RunnerAnswer>;
  stop(): void;
}

interface Waiting {
  resolve(answer: RunnerAnswer): void;
  reject(error: ForgeError): void;
}

const script = fileURLToPath(new URL('../../runtime/llama-runner.mjs', import.meta.url));
const keptWords = 2_000;

/** Starts a process that loads the model and answers requests in order. It ends with this process, and does not keep it alive. */
export function startRunner({ entry, weights, context, threads, name }: RunnerOptions): Runner {
  const child = spawn(process.execPath, [script, entry, weights, String(context), String(threads)], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // The model needs no key and no setting of the product.
    env: {},
  });
  const waiting = new Map<number, Waiting>();
  let next = 1;
  let alive = true;
  let lastWords = '';
  const sockets = [child.stdin, child.stdout, child.stderr].filter((stream) => stream instanceof Socket);
  /** Only a question that waits for its answer is a reason to stay. */
  function hold(): void {
    const way = waiting.size > 0 ? 'ref' : 'unref';
    child[way]();
    for (const socket of sockets) socket[way]();
  }
  const broken = (why: string) =>
    new ForgeError('model.unavailable', `The local model ${name} ${why}.`, {
      fix: 'Check that the file is a complete GGUF model and that there is memory for it, then retry; it is loaded anew.',
    });
  function end(why: string): void {
    alive = false;
    for (const { reject } of waiting.values()) reject(broken(why));
    waiting.clear();
  }
  function settle(id: number, outcome: (one: Waiting) => void): void {
    const one = waiting.get(id);
    waiting.delete(id);
    hold();
    if (one) outcome(one);
  }

  child.stderr.on('data', (bytes: Buffer) => {
    lastWords = (lastWords + bytes.toString('utf8')).slice(-keptWords);
  });
  child.stdin.on('error', () => undefined);
  child.on('error', (error) => end(`could not be started: ${error.message}`));
  child.on('exit', (code, by) => end(`ended (${by ?? code}) ${lastWords.trim().slice(-400)}`.trim()));
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = Line.safeParse(parsedJson(text));
    if (!line.success || 'ready' in line.data) return;
    if ('failed' in line.data) return end(`cannot be loaded: ${line.data.failed.slice(0, 400)}`);
    if ('text' in line.data) {
      const answer = line.data;
      return settle(answer.id, ({ resolve }) => resolve(answer));
    }
    const { id, error, reason } = line.data;
    settle(id, ({ reject }) =>
      reject(
        reason === 'cancelled'
          ? cancelled()
          : reason === 'too-large'
            ? new ForgeError('model.prompt-too-large', `The prompt is too large for ${name}: ${error}`, {
                fix: 'Shorten the prompt or its inputs, or raise FORGE_LOCAL_CONTEXT.',
              })
            : broken(`failed: ${error.slice(0, 400)}`),
      ),
    );
  });
  hold();

  return {
    get alive() {
      return alive;
    },
    ask(request, signal) {
      if (signal.aborted) return Promise.reject(cancelled());
      if (!alive) return Promise.reject(broken('has ended'));
      const id = next++;
      const stop = () => child.stdin.write(`${JSON.stringify({ cancel: id })}\n`);
      return new Promise<RunnerAnswer>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        hold();
        signal.addEventListener('abort', stop, { once: true });
        child.stdin.write(`${JSON.stringify({ id, ...request })}\n`);
      }).finally(() => signal.removeEventListener('abort', stop));
    },
    stop() {
      alive = false;
      child.kill('SIGKILL');
    },
  };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
