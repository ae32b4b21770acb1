import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '@cua-forge/cli/bootstrap/environment';
import { type Behaviour, fakeChatServer, streams } from '@cua-forge/testing/fake-chat-server';
import { z } from 'zod';

const Body = z.object({ messages: z.array(z.object({ content: z.string() })) });

/** Last message of a request. */
export function promptOf(request: { body: unknown }): string {
  return Body.parse(request.body).messages.at(-1)?.content ?? '';
}

/** An OpenAI-compatible server on this machine: answers depend on the prompt alone and take `milliseconds`. */
export function slowModel(milliseconds: number) {
  const answer: Behaviour = (response, request) => {
    void sleep(milliseconds).then(() => streams(`About ${promptOf(request).toLowerCase()}`)(response, request));
  };
  return fakeChatServer([answer]);
}

/** Environment that makes the worker ask the server at this address. */
export function modelAt(baseUrl: string, more: Environment = {}): Environment {
  return { FORGE_MODEL_PROVIDER: 'openai', FORGE_MODEL: 'test-model', FORGE_OPENAI_BASE_URL: baseUrl, ...more };
}
