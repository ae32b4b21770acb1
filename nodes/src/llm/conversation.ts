import type { ModelRequest } from '@cua-forge/spec/model-port';

/** The messages of a request: the task, and then what gates said about earlier rounds, so that the stable text stays first. */
export function conversation(prompt: string, feedback: readonly string[]): ModelRequest['messages'] {
  const messages: ModelRequest['messages'] = [{ role: 'user', content: prompt }];
  if (feedback.length > 0) {
    const list = feedback.map((line) => `- ${line}`).join('\n');
    messages.push({ role: 'user', content: `An earlier answer was sent back. Do better on this:\n${list}` });
  }
  return messages;
}

/** Another seed for each repair round, so that a round does not repeat the answer that was sent back. */
export const seedOfRound = (seed: number, round: number): number => (seed + (round - 1) * 7919) >>> 0;
