import { ForgeError } from '@cua-forge/spec/errors';
import { Json } from '@cua-forge/spec/json';
import jsonata from 'jsonata';
import { z } from 'zod';

/** Milliseconds, calls on the stack and members of one sequence that an expression may take. */
const bounds = { timeout: 2_000, stack: 500, sequence: 1_000_000 };

/** Functions whose answers differ from one evaluation to the next, or that get round the bounds. */
const refused = ['random', 'shuffle', 'now', 'millis', 'eval'];

const Problem = z.object({
  code: z.string(),
  position: z.number().int().optional(),
  message: z.string(),
});

export interface Expression {
  /** @throws ForgeError `expression.invalid` when the evaluation fails or exceeds its bounds. No result is `null`. */
  evaluate(input: unknown): Promise<Json>;
}

function lineAt(source: string, position: number): { line: number; column: number } {
  const before = source.slice(0, Math.max(0, position)).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function invalid(source: string, thrown: unknown, stage: 'compiled' | 'evaluated'): ForgeError {
  if (thrown instanceof ForgeError) return thrown;
  const problem = Problem.safeParse(thrown);
  if (!problem.success) {
    return new ForgeError('expression.invalid', `The expression could not be ${stage}: ${String(thrown)}`, {
      cause: thrown,
    });
  }
  const { position, message, code } = problem.data;
  const place = position === undefined ? undefined : lineAt(source, position);
  const where = place === undefined ? '' : ` at line ${place.line}, column ${place.column}`;
  return new ForgeError('expression.invalid', `The expression could not be ${stage}${where}: ${message} (${code})`, {
    fix: code.startsWith('D10')
      ? 'Make the expression smaller or give it less data.'
      : 'Correct the JSONata expression there.',
    ...(place === undefined ? {} : { place: { line: place.line } }),
    cause: thrown,
  });
}

/**
 * Compiles a JSONata expression. Evaluation is deterministic and bounded in time, depth and size.
 * @throws ForgeError `expression.invalid` naming line and column
 */
export function compileExpression(source: string): Expression {
  let compiled: jsonata.Expression;
  try {
    compiled = jsonata(source, bounds);
  } catch (thrown) {
    throw invalid(source, thrown, 'compiled');
  }
  for (const name of refused) {
    compiled.registerFunction(name, () => {
      throw new ForgeError('expression.invalid', `The expression calls $${name}, which is not deterministic.`, {
        fix: 'Draw random values and dates with data.sample and use its output here.',
      });
    });
  }
  return {
    async evaluate(input) {
      try {
        const result: unknown = await compiled.evaluate(input);
        return result === undefined ? null : Json.parse(JSON.parse(JSON.stringify(result) ?? 'null'));
      } catch (thrown) {
        throw invalid(source, thrown, 'evaluated');
      }
    },
  };
}

/** JSONata's notion of truth for a plain value: empty strings, lists and objects, 0, false and null are false. */
export function isTruthy(value: Json): boolean {
  if (Array.isArray(value)) return value.some(isTruthy);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A param that holds a JSONata expression. */
export const ExpressionText = z.string().min(1).max(20_000).meta({ title: 'JSONata expression', format: 'jsonata' });
