import type { HandlersOf } from '../http/handlers.ts';
import type { Services } from '../services.ts';

export const upkeepRoutes = ({
  collector,
}: Pick<Services, 'collector'>): HandlersOf<'startCollection' | 'collection'> => ({
  startCollection: async ({ body }) => collector.start(body),
  collection: async () => collector.view(),
});
