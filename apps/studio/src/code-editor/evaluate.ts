import { toForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import jsonata from 'jsonata';
import { Liquid } from 'liquidjs';
import { z } from 'zod';
import type { PreviewAnswer, PreviewRequest } from './evaluate-messages.ts';

/** The bounds and refusals of the nodes themselves: what the preview takes, a run takes too. */
const bounds = { timeout: 2_000, stack: 500, sequence: 1_000_000 };
const refused = ['random', 'shuffle', 'now', 'millis', 'eval'];
const Thrown = z.object({ message: z.string(), position: z.number().int().optional() });

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  templates: {},
  timezoneOffset: 0,
  renderLimit: 2_000,
  memoryLimit: 20_000_000,
  parseLimit: 1_000_000,
  outputEscape: (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? ''),
});

/** Evaluates an expression or fills a template; what is wrong comes back as a sentence. */
export async function evaluate({ id, language, source, input }: PreviewRequest): Promise<PreviewAnswer> {
  try {
    if (language === 'liquid') {
      const values = typeof input === 'object' && input !== null ? input : {};
      return { id, value: String(engine.parseAndRenderSync(source, values)) };
    }
    const compiled = jsonata(source, bounds);
    for (const name of refused) {
      compiled.registerFunction(name, () => {
        throw new Error(`$${name} is not deterministic; draw with data.sample instead`);
      });
    }
    const result: unknown = await compiled.evaluate(input);
    return { id, value: result === undefined ? null : Json.parse(JSON.parse(JSON.stringify(result) ?? 'null')) };
  } catch (thrown) {
    const known = Thrown.safeParse(thrown);
    if (!known.success) return { id, error: toForgeError(thrown).message };
    const { message, position } = known.data;
    const place = position === undefined ? '' : `${placeOf(source, position)}: `;
    return { id, error: place + (message.split('\n')[0] ?? '') };
  }
}

function placeOf(source: string, position: number): string {
  const lines = source.slice(0, Math.max(0, position)).split('\n');
  return `Line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
