import { ForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import { Liquid } from 'liquidjs';

/** Unknown variables and filters are errors; partials, files, the clock and chance are out of reach. */
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

engine.registerFilter('sample', () => {
  throw new Error('the filter sample is not deterministic; draw with data.sample instead');
});
const date: unknown = engine.filters.date;
engine.registerFilter('date', function (this: unknown, value: unknown, ...rest: unknown[]) {
  if (value === 'now' || value === 'today')
    throw new Error('the clock is not deterministic; draw dates with data.sample instead');
  return typeof date === 'function' ? date.call(this, value, ...rest) : value;
});

/** The text of a Liquid template over the given values. @throws ForgeError `template.invalid` with the line; `where` names the template */
export function renderTemplate(template: string, values: JsonObject, where: string): string {
  try {
    return String(engine.parseAndRenderSync(template, values));
  } catch (thrown) {
    throw invalid(thrown, where);
  }
}

const singleOutput = /^\{\{-?\s*([^{}]+?)\s*-?\}\}$/;

/** A JSON value with every string in it rendered; a string that is one `{{ … }}` alone becomes the value itself, with its type. */
export function renderJson(value: Json, values: JsonObject, where: string): Json {
  if (typeof value === 'string') {
    const expression = singleOutput.exec(value)?.[1];
    return expression === undefined ? renderTemplate(value, values, where) : evaluate(expression, values, where);
  }
  if (Array.isArray(value)) return value.map((member, index) => renderJson(member, values, `${where}/${index}`));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, renderJson(member, values, `${where}/${key}`)]),
    );
  }
  return value;
}

function evaluate(expression: string, values: JsonObject, where: string): Json {
  try {
    const result: Json | undefined = engine.evalValueSync(expression, values);
    return result ?? null;
  } catch (thrown) {
    throw invalid(thrown, where);
  }
}

function invalid(thrown: unknown, where: string): ForgeError {
  const message = thrown instanceof Error ? (thrown.message.split('\n')[0] ?? '') : String(thrown);
  const line = /line:(\d+)/.exec(message)?.[1];
  return new ForgeError('template.invalid', `The template ${where} cannot be filled: ${message}`, {
    fix: 'Correct the template there; its variables are the node’s own inputs.',
    ...(line === undefined ? {} : { place: { line: Number(line) } }),
    cause: thrown,
  });
}
