import type { ApiRoute } from '../api-route.ts';
import { ModelsView, ModelTest, PlayNode, PlayResult, TestModel } from '../models-view.ts';

/** Models, and single nodes with several of them. */
export const modelsRoutes = {
  models: {
    method: 'GET',
    path: '/models',
    summary: 'Model providers of the worker: models, prices, whether a key is there.',
    role: 'viewer',
    answers: ModelsView,
  },
  testModel: {
    method: 'POST',
    path: '/models/test',
    summary: 'Asks a model one tiny thing; says what came back, or why nothing did.',
    role: 'author',
    body: TestModel,
    answers: ModelTest,
    audit: { action: 'model.test', keep: ['model'] },
  },
  playNode: {
    method: 'POST',
    path: '/playground',
    summary: 'Executes one node with several models side by side and commits nothing.',
    role: 'author',
    body: PlayNode,
    answers: PlayResult,
    audit: { action: 'playground.run', keep: ['documentId', 'node', 'run', 'models'] },
  },
} as const satisfies Record<string, ApiRoute>;
