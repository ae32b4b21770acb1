import { describe, expect, it } from 'vitest';
import { parseRoute, pathOf, type Route } from './route.ts';

describe('routes', () => {
  it.each<Route>([
    { page: 'documents' },
    { page: 'document', id: 'calc-monthly-summary' },
    { page: 'runs' },
    { page: 'run', id: 'r/1 ä' },
    { page: 'compare-runs', id: 'r/1', with: 'r2' },
    { page: 'packages' },
    { page: 'package', id: 'p1' },
    { page: 'compare', id: 'p/1', with: 'p2' },
    { page: 'batches' },
    { page: 'batch', id: 'b1' },
    { page: 'skills' },
    { page: 'schedules' },
    { page: 'costs' },
    { page: 'models' },
    { page: 'workers' },
  ])('go to a path and back: %o', (route) => {
    expect(parseRoute(pathOf(route))).toEqual(route);
  });

  it('lead to the documents from anywhere unknown', () => {
    expect(parseRoute('/')).toEqual({ page: 'documents' });
    expect(parseRoute('/nowhere/else')).toEqual({ page: 'documents' });
  });
});
