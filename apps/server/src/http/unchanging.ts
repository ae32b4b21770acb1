/** By the answer, its JSON for each form in which it is sent. */
const texts = new WeakMap<object, Map<string, Buffer>>();

/** Marks an answer that nobody will change: it is checked and written as JSON once, however often the same object is sent. */
export function unchanging<T extends object>(answer: T): T {
  if (!texts.has(answer)) texts.set(answer, new Map());
  return answer;
}

/** JSON of an unchanging answer in one form, made of what `make` gives at the first use; null for any other answer. */
export function keptJson(answer: unknown, form: string, make: () => unknown): Buffer | null {
  const kept = typeof answer === 'object' && answer !== null ? texts.get(answer) : undefined;
  if (kept === undefined) return null;
  const text = kept.get(form) ?? Buffer.from(JSON.stringify(make()));
  kept.set(form, text);
  return text;
}
