import { ModelsView, ModelTest, PlayResult } from '@cua-forge/spec/models-view';
import type { HandlersOf } from '../http/handlers.ts';
import { consult } from '../models/consult.ts';
import { playQuestion } from '../models/play-question.ts';
import type { Services } from '../services.ts';

export const modelRoutes = (services: Services): HandlersOf<'models' | 'testModel' | 'playNode'> => ({
  models: ({ response }) => consult(services, { what: 'models' }, ModelsView, response),
  testModel: ({ body, response }) =>
    consult(services, { what: 'test', model: body.model ?? null }, ModelTest, response),
  playNode: async ({ body, response }) => consult(services, await playQuestion(services, body), PlayResult, response),
});
