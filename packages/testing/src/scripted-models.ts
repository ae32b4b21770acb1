import { ForgeError } from '@cua-forge/spec/errors';
import type { Json } from '@cua-forge/spec/json';
import type { ModelPort, ModelRequest } from '@cua-forge/spec/model-port';

/** A reply of the script: text, a JSON value, or an error to throw. */
export type ScriptedReply = Json | ForgeError;

export interface ScriptedModels extends ModelPort {
  /** What was asked, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Models that answer with the given replies, one a call, and fail when there is none left. */
export function scriptedModels(replies: readonly ScriptedReply[]): ScriptedModels {
  const requests: ModelRequest[] = [];
  return {
    requests,
    rehearsed: false,
    identity: (model) => `scripted:${model ?? 'default'}`,
    async complete(request, signal) {
      if (signal.aborted) throw new ForgeError('node.cancelled', 'The work was cancelled.');
      const reply = replies[requests.length];
      requests.push(request);
      if (reply === undefined) {
        throw new ForgeError(
          'model.no-recording',
          `The script has no reply for call ${requests.length} (${request.purpose}).`,
        );
      }
      if (reply instanceof ForgeError) throw reply;
      return {
        text: typeof reply === 'string' ? reply : JSON.stringify(reply),
        provider: 'scripted',
        model: request.model ?? 'default',
        usage: { input: 10, cached: 0, output: 5 },
        usd: null,
        milliseconds: 1,
        finish: 'stop',
      };
    },
  };
}
