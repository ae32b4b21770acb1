import { Failure, ForgeError } from '@cua-forge/spec/errors';
import type { Consultation } from '@cua-forge/spec/models-view';
import type { Response } from 'express';
import { z } from 'zod';
import { getJson } from '../runs/json-artifact.ts';
import type { Services } from '../services.ts';

const Said = z.union([z.strictObject({ failure: Failure }), z.strictObject({ answer: z.unknown() })]);

/** Asks a worker and reads its answer; gives up when the client of the request has gone. @throws ForgeError what the worker failed with */
export async function consult<S extends z.ZodType>(
  { engine, store }: Services,
  question: Consultation,
  answers: S,
  response: Response,
): Promise<z.output<S>> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once('close', leave);
  try {
    const { hash } = await engine.consult(question, gone.signal);
    const said = await getJson(store.artifacts, hash, Said, 'answer of the worker');
    if ('failure' in said) {
      const { code, message, fix, place } = said.failure;
      throw new ForgeError(code, message, { fix, place });
    }
    return answers.parse(said.answer);
  } finally {
    response.off('close', leave);
  }
}
