import { ForgeError } from '@cua-forge/spec/errors';
import type { ModelPort, ModelRequest } from '@cua-forge/spec/model-port';
import { seededRandom } from './random.ts';
import { sampleSchema } from './schema-sample.ts';
import { words } from './words.ts';

/** Name under which the values of this provider are labelled everywhere. */
export const REHEARSAL = 'rehearsal';

/**
 * Models that are none: answers are drawn by seed from the request's own examples, else made up to fit its schema.
 * Never costs anything, and counts no tokens, since no model was asked.
 */
export function rehearsalModels(): ModelPort {
  return {
    rehearsed: true,
    identity: () => REHEARSAL,
    async complete(request, signal) {
      if (signal.aborted) throw new ForgeError('node.cancelled', 'The work was cancelled.');
      return {
        text: answerTo(request),
        provider: REHEARSAL,
        model: REHEARSAL,
        usage: { input: 0, cached: 0, output: 0 },
        usd: 0,
        milliseconds: 0,
        finish: 'stop',
      };
    },
  };
}

function answerTo(request: ModelRequest): string {
  const random = seededRandom(request.seed);
  if (request.rehearsal !== undefined && request.rehearsal.length > 0) {
    const example = random.pick(request.rehearsal);
    return typeof example === 'string' && request.schema === undefined ? example : JSON.stringify(example);
  }
  if (request.schema !== undefined) return JSON.stringify(sampleSchema(request.schema, request.seed));
  const sentence = Array.from({ length: random.integer(6, 12) }, () => random.pick(words)).join(' ');
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}.`;
}
