/** Answers that were asked for before the studio's code was there, by address. */
const early = new Map<string, Promise<Response>>();
/** Milliseconds after which such an answer may have become untrue. */
const FRESH_MS = 5_000;

/** Asks for what this address answers, and reads it to the end; the first request for the address within five seconds gets that. */
export function askEarly(address: string): void {
  const answer = read(address);
  answer.catch(() => {});
  early.set(address, answer);
  setTimeout(() => early.delete(address), FRESH_MS);
}

async function read(address: string): Promise<Response> {
  const response = await fetch(address);
  return new Response(await response.arrayBuffer(), response);
}

/** The early answer, once. Null where there is none that is good, as before a login: then it must be asked for again. */
export async function takeEarly(address: string): Promise<Response | null> {
  const answer = early.get(address);
  early.delete(address);
  try {
    const response = await answer;
    return response?.ok === true ? response : null;
  } catch {
    return null;
  }
}
