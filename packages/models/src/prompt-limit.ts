import { ForgeError } from '@cua-forge/spec/errors';
import type { ModelPort, ModelRequest } from '@cua-forge/spec/model-port';

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;

export function promptBytes(request: ModelRequest): number {
  const schema = request.schema === undefined ? 0 : bytesOf(JSON.stringify(request.schema));
  return request.messages.reduce((sum, { content }) => sum + bytesOf(content), bytesOf(request.system ?? '') + schema);
}

/** Refuses prompts over a number of bytes before anything is sent. */
export function withPromptLimit(port: ModelPort, maxPromptBytes: number): ModelPort {
  return {
    rehearsed: port.rehearsed,
    identity: (model) => port.identity(model),
    async complete(request, signal, onFailedTry, beforeTry) {
      const bytes = promptBytes(request);
      if (bytes > maxPromptBytes) {
        throw new ForgeError(
          'model.prompt-too-large',
          `The prompt for ${request.purpose} has ${bytes} bytes; the limit is ${maxPromptBytes}.`,
          { fix: 'Shorten the prompt or its inputs, or raise FORGE_MODEL_MAX_PROMPT_BYTES.' },
        );
      }
      return port.complete(request, signal, onFailedTry, beforeTry);
    },
  };
}
