import { appendFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { actionsOfInput } from '@cua-forge/sandbox/demonstration/actions-of-input';
import type { InputEvent } from '@cua-forge/sandbox/demonstration/rfb-input';
import type { DesktopRecording, EndedRecording } from '@cua-forge/spec/desktops';
import { ForgeError } from '@cua-forge/spec/errors';
import { z } from 'zod';

const Head = z.strictObject({
  startedAt: z.number().int(),
  by: z.string(),
  screen: z.strictObject({ width: z.number().int(), height: z.number().int() }),
});
const Input = z.discriminatedUnion('kind', [
  z.strictObject({
    at: z.number(),
    kind: z.literal('pointer'),
    buttons: z.number().int(),
    x: z.number().int(),
    y: z.number().int(),
  }),
  z.strictObject({ at: z.number(), kind: z.literal('key'), down: z.boolean(), keysym: z.number().int() }),
]);

/** Most events of one recording: an hour of a hand that never rests. */
const mostEvents = 500_000;

/** Recordings in progress, each a file beside the sandbox, so that one outlives the process that writes it. */
export class Demonstrations {
  readonly #folder: string;
  /** Writes to one file follow each other. */
  readonly #writes = new Map<string, Promise<void>>();
  readonly #known = new Map<string, { head: z.infer<typeof Head>; events: number }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @throws ForgeError `sandbox.refused` while another recording of it is in progress */
  async start(id: string, screen: { width: number; height: number }, by: string): Promise<DesktopRecording> {
    if ((await this.of(id)) !== null)
      throw new ForgeError('sandbox.refused', `What happens on ${id} is being recorded already.`, {
        fix: 'End that recording first.',
      });
    const head = { startedAt: Date.now(), by, screen };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await appendFile(`${this.#file(id)}.new`, `${JSON.stringify(head)}\n`, { mode: 0o600 });
    await rename(`${this.#file(id)}.new`, this.#file(id));
    this.#known.set(id, { head, events: 0 });
    return { startedAt: head.startedAt, by, events: 0 };
  }

  async of(id: string): Promise<DesktopRecording | null> {
    const known = this.#known.get(id) ?? (await this.#read(id));
    return known === null ? null : { startedAt: known.head.startedAt, by: known.head.by, events: known.events };
  }

  /** Keeps what a hand does, where that is recorded. `at` is epoch milliseconds. */
  take(id: string, event: InputEvent): void {
    const known = this.#known.get(id);
    if (known === undefined || known.events >= mostEvents) return;
    known.events += 1;
    const line = `${JSON.stringify({ ...event, at: event.at - known.head.startedAt })}\n`;
    const before = this.#writes.get(id) ?? Promise.resolve();
    this.#writes.set(
      id,
      before.then(() => appendFile(this.#file(id), line)).catch(() => undefined),
    );
  }

  /** @throws ForgeError `not-found` where nothing is recorded */
  async end(id: string): Promise<EndedRecording> {
    await this.#writes.get(id);
    const found = await this.#read(id);
    if (found === null)
      throw new ForgeError('not-found', `What happens on ${id} is not being recorded.`, { fix: 'Start a recording.' });
    this.forget(id);
    const actions = actionsOfInput(found.inputs);
    const seconds = (Date.now() - found.head.startedAt) / 1000;
    await rm(this.#file(id), { force: true });
    return {
      seconds,
      recording: actions.length === 0 ? null : { schema: 1, screen: found.head.screen, actions },
    };
  }

  forget(id: string): void {
    this.#known.delete(id);
    this.#writes.delete(id);
  }

  async remove(id: string): Promise<void> {
    this.forget(id);
    await rm(this.#file(id), { force: true });
  }

  #file = (id: string): string => join(this.#folder, `${id}.jsonl`);

  /** What another process began is taken up, too. */
  async #read(id: string) {
    const text = await readFile(this.#file(id), 'utf8').catch(() => null);
    if (text === null) return null;
    const [first = '', ...rest] = text.split('\n').filter((line) => line !== '');
    const head = Head.parse(JSON.parse(first));
    const inputs = rest.flatMap((line): InputEvent[] => {
      // The last line of a process that was killed may be half a line.
      try {
        return [Input.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
    if (!this.#known.has(id)) this.#known.set(id, { head, events: inputs.length });
    return { head, inputs, events: inputs.length };
  }
}
