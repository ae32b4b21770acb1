import { modelToTest, testModel } from '@cua-forge/models/test-model';
import { canonicalJson } from '@cua-forge/spec/canonical-json';
import { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { Consultation, type ConsultationAnswer, type ModelsView } from '@cua-forge/spec/models-view';
import { Context } from '@temporalio/activity';
import { z } from 'zod';
import type { ExecutorParts } from '../executor/execute-member.ts';
import { playNode } from '../executor/play-node.ts';
import { proposeChange } from '../executor/propose-change.ts';
import { drawPages } from '../office/draw-pages.ts';
import { forTemporal } from './execute-nodes.ts';

/** What the server wrote down for a proposal. */
const Wish = z.strictObject({ document: GraphDocument, words: z.string() });

const beatMs = 1_000;

/** Questions that belong to no run. Answers, and failures too, lie in the store, and the history has their hash alone. */
export function consultActivity(parts: ExecutorParts, describe: (() => Promise<ModelsView>) | undefined) {
  async function answer(question: Consultation, signal: AbortSignal): Promise<unknown> {
    switch (question.what) {
      case 'models':
        if (describe) return describe();
        throw new ForgeError('not-found', 'This worker was started without a configuration of models to describe.');
      case 'test':
        return testModel(
          parts.models,
          describe ? modelToTest(await describe(), question.model) : question.model,
          signal,
        );
      case 'play':
        return playNode(parts, question, signal);
      case 'pages':
        return drawPages({ office: parts.office, artifacts: parts.store.artifacts }, question, signal);
      case 'propose': {
        const bytes = await parts.store.artifacts.get(question.question);
        const wish = Wish.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
        return proposeChange(parts.models, { ...wish, model: question.model }, signal);
      }
    }
  }
  return {
    async consultWorker(raw: Consultation): Promise<ConsultationAnswer> {
      const context = Context.current();
      const signal = context.cancellationSignal;
      const beat = setInterval(() => context.heartbeat(), beatMs);
      try {
        const said = await answer(Consultation.parse(raw), signal).then(
          (given) => ({ answer: given }),
          (thrown: unknown) => {
            signal.throwIfAborted();
            return { failure: toForgeError(thrown).toFailure() };
          },
        );
        const { hash } = await parts.store.artifacts.put(
          new TextEncoder().encode(canonicalJson(parts.redactor.data(said))),
        );
        return { hash };
      } catch (thrown) {
        throw forTemporal(thrown, signal);
      } finally {
        clearInterval(beat);
      }
    },
  };
}
