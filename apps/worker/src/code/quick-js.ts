import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CodePort, CodeProgram, CodeResult } from '@cua-forge/spec/code-port';
import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import { z } from 'zod';
import { prelude } from './prelude.ts';

/** Milliseconds beyond the program's own limit after which its thread is killed. */
const GRACE = 2_000;

const threadFile = new URL('./quick-js.thread.mjs', import.meta.url);

const Worn = z.boolean();
const Answer = z.discriminatedUnion('end', [
  z.strictObject({ end: z.literal('value'), text: z.string(), logs: z.string(), worn: Worn }),
  z.strictObject({
    end: z.literal('error'),
    name: z.string(),
    message: z.string(),
    line: z.number().int().nullable(),
    worn: Worn,
  }),
  z.strictObject({ end: z.enum(['time', 'memory', 'stack', 'output', 'unsettled', 'broken']), worn: Worn }),
]);
type Answer = z.infer<typeof Answer>;

/** Programs in QuickJS as WebAssembly, in threads without environment; a thread is used again after a good end, an engine never. */
export class QuickJs implements CodePort {
  readonly #idle: Worker[] = [];
  readonly #waiting: (() => void)[] = [];
  #busy = 0;

  constructor(private readonly threads: number = Math.max(1, availableParallelism() - 1)) {}

  async run(program: CodeProgram, signal: AbortSignal): Promise<CodeResult> {
    await this.#turn(signal);
    try {
      return resultOf(await this.#execute(program, signal), program);
    } finally {
      this.#busy -= 1;
      this.#waiting.shift()?.();
    }
  }

  /** Ends the idle threads. */
  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((thread) => thread.terminate()));
  }

  async #turn(signal: AbortSignal): Promise<void> {
    while (this.#busy >= this.threads && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const next = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = () => {
          this.#waiting.splice(this.#waiting.indexOf(next), 1);
          resolve();
        };
        this.#waiting.push(next);
        signal.addEventListener('abort', leave, { once: true });
      });
    }
    if (signal.aborted) {
      // It may have been woken just before: the turn goes to the one behind.
      this.#waiting.shift()?.();
      throw cancelled();
    }
    this.#busy += 1;
  }

  #execute(program: CodeProgram, signal: AbortSignal): Promise<Answer> {
    const thread = this.#idle.pop() ?? newThread();
    thread.ref();
    return new Promise((resolve, reject) => {
      const kill = setTimeout(() => end({ end: 'time', worn: true }), program.timeoutMs + GRACE);
      const abort = () => end(cancelled());
      const message = (given: unknown) => {
        const answer = Answer.safeParse(given);
        end(answer.success ? answer.data : broken(z.prettifyError(answer.error)));
      };
      const failed = (error: Error) =>
        end('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? memory : broken(error.message));
      const memory: Answer = { end: 'memory', worn: true };
      const exit = () => end(broken('its thread ended'));
      const end = (how: Answer | ForgeError): void => {
        clearTimeout(kill);
        signal.removeEventListener('abort', abort);
        thread.off('message', message).off('error', failed).off('exit', exit);
        if (how instanceof ForgeError || how.worn) {
          // A thread that is being ended may still report an error, which nobody waits for.
          thread.on('error', () => undefined);
          void thread.terminate();
        } else {
          thread.unref();
          this.#idle.push(thread);
        }
        if (how instanceof ForgeError) reject(how);
        else resolve(how);
      };
      thread.on('message', message).on('error', failed).on('exit', exit);
      signal.addEventListener('abort', abort, { once: true });
      thread.postMessage({ ...program, prelude: prelude(program) });
    });
  }
}

const newThread = (): Worker =>
  new Worker(threadFile, { execArgv: [], env: {}, resourceLimits: { maxOldGenerationSizeMb: 256 } });

const cancelled = () => new ForgeError('node.cancelled', 'The program was cancelled.');
const broken = (reason: string) => new ForgeError('internal', `The engine that ran the program broke down: ${reason}`);

function resultOf(answer: Answer, program: CodeProgram): CodeResult {
  switch (answer.end) {
    case 'value': {
      // A program that changes how things become JSON may spoil its own console lines.
      const logs = z.array(z.string()).safeParse(JSON.parse(answer.logs));
      return { value: Json.parse(JSON.parse(answer.text)), logs: logs.data ?? [] };
    }
    case 'error': {
      const where = answer.line === null ? '' : ` at line ${answer.line}`;
      throw new ForgeError(
        'code.failed',
        `The program failed${where}: ${answer.name}: ${answer.message.slice(0, 2_000)}`,
        {
          fix: 'Correct the program there.',
          ...(answer.line === null ? {} : { place: { line: answer.line } }),
        },
      );
    }
    case 'unsettled':
      throw new ForgeError('code.failed', 'The program waits for a promise that nothing settles.', {
        fix: 'There are no timers and no input or output; settle every promise in the program itself.',
      });
    case 'time':
      throw limit(`more than ${program.timeoutMs / 1_000} s`, 'Look for a loop that does not end, or raise timeoutMs.');
    case 'memory':
      throw limit(
        `more than ${Math.round(program.memoryBytes / 1e6)} MB of memory`,
        'Keep less at once, or raise memoryMb.',
      );
    case 'stack':
      throw limit(
        'more calls within calls than the stack holds',
        'Look for a recursion that does not end, or use a loop.',
      );
    case 'broken':
      throw limit('more than its engine can give', 'Make the program smaller.');
    case 'output':
      throw limit(`more than ${program.maxOutput} characters for its result`, 'Return less, or raise maxOutput.');
  }
}

const limit = (what: string, fix: string) => new ForgeError('code.limit', `The program needs ${what}.`, { fix });
