import type { Json } from '@cua-forge/spec/json';
import { PreviewAnswer } from './evaluate-messages.ts';
import type { CodeLanguage } from './languages.ts';

const PATIENCE_MS = 4_000;

let worker: Worker | null = null;
let last = 0;

export type Preview = { value: Json } | { error: string };

/** Evaluates in a worker, so that typing never waits; a computation without end is ended after four seconds. */
export function preview(language: CodeLanguage, source: string, input: Json): Promise<Preview> {
  const used = worker ?? new Worker(new URL('./preview.worker.ts', import.meta.url), { type: 'module' });
  worker = used;
  last += 1;
  const id = last;
  return new Promise((resolve) => {
    const settle = (answer: Preview) => {
      clearTimeout(timer);
      used.removeEventListener('message', hear);
      used.removeEventListener('error', fail);
      resolve(answer);
    };
    const hear = (event: MessageEvent<unknown>) => {
      const answer = PreviewAnswer.safeParse(event.data);
      if (answer.success && answer.data.id === id) settle(answer.data);
    };
    const end = () => {
      used.terminate();
      if (worker === used) worker = null;
    };
    const fail = () => {
      end();
      settle({ error: 'The preview could not be computed.' });
    };
    const timer = setTimeout(() => {
      end();
      settle({ error: 'The preview took longer than four seconds and was ended.' });
    }, PATIENCE_MS);
    used.addEventListener('message', hear);
    used.addEventListener('error', fail);
    used.postMessage({ id, language, source, input });
  });
}
