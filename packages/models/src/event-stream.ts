import { createParser } from 'eventsource-parser';

export const maxAnswerCharacters = 4_000_000;

/** Hands on the data of each server-sent event of an answer, in order. */
export async function feedEvents(response: Response, onData: (data: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => onData(data), maxBufferSize: maxAnswerCharacters });
  if (response.body === null) return;
  for await (const bytes of response.body) parser.feed(decoder.decode(bytes, { stream: true }));
}
