import { useSyncExternalStore } from 'react';

export type Route =
  | { page: 'documents' }
  | { page: 'document'; id: string }
  | { page: 'runs' }
  | { page: 'run'; id: string }
  | { page: 'compare-runs'; id: string; with: string }
  | { page: 'batches' }
  | { page: 'batch'; id: string }
  | { page: 'evaluations' }
  | { page: 'evaluation'; id: string }
  | { page: 'packages' }
  | { page: 'package'; id: string }
  | { page: 'compare'; id: string; with: string }
  | { page: 'skills' }
  | { page: 'schedules' }
  | { page: 'hooks' }
  | { page: 'desktops' }
  | { page: 'desktop'; id: string }
  | { page: 'costs' }
  | { page: 'models' }
  | { page: 'workers' }
  | { page: 'audit' };

export const lists = [
  'documents',
  'runs',
  'batches',
  'evaluations',
  'skills',
  'schedules',
  'hooks',
  'packages',
  'desktops',
  'costs',
  'models',
  'workers',
  'audit',
] as const;
const members = {
  documents: 'document',
  runs: 'run',
  batches: 'batch',
  evaluations: 'evaluation',
  packages: 'package',
  desktops: 'desktop',
} as const;

export type Section = (typeof lists)[number];

/** The route of a path; anything unknown is the list of documents. */
export function parseRoute(path: string): Route {
  const [, first, ...rest] = path.split('/');
  const section = lists.find((each) => each === first);
  const [id, other] = rest.map(decodeURIComponent).filter((part) => part !== '');
  if (section === undefined) return { page: 'documents' };
  if (id === undefined) return { page: section };
  if (section === 'packages' && other !== undefined) return { page: 'compare', id, with: other };
  if (section === 'runs' && other !== undefined) return { page: 'compare-runs', id, with: other };
  if (
    section === 'skills' ||
    section === 'schedules' ||
    section === 'hooks' ||
    section === 'costs' ||
    section === 'models' ||
    section === 'workers' ||
    section === 'audit'
  )
    return { page: section };
  return { page: members[section], id };
}

export function pathOf(route: Route): string {
  const section = sectionOf(route);
  if (!('id' in route)) return `/${section}`;
  const other = 'with' in route ? `/${encodeURIComponent(route.with)}` : '';
  return `/${section}/${encodeURIComponent(route.id)}${other}`;
}

const sections: Record<Route['page'], Section> = {
  documents: 'documents',
  document: 'documents',
  runs: 'runs',
  run: 'runs',
  'compare-runs': 'runs',
  batches: 'batches',
  batch: 'batches',
  evaluations: 'evaluations',
  evaluation: 'evaluations',
  packages: 'packages',
  schedules: 'schedules',
  hooks: 'hooks',
  package: 'packages',
  compare: 'packages',
  desktops: 'desktops',
  desktop: 'desktops',
  skills: 'skills',
  costs: 'costs',
  models: 'models',
  workers: 'workers',
  audit: 'audit',
};

/** The entry of the main navigation that a page belongs to. */
export function sectionOf({ page }: Route): Section {
  return sections[page];
}

const listeners = new Set<() => void>();
/** Asked before leaving a page; false keeps the page. */
let guard: (() => boolean) | null = null;

export function guardLeaving(next: (() => boolean) | null): void {
  guard = next;
}

export function navigate(route: Route, replace = false): void {
  if (guard !== null && !replace && !guard()) return;
  if (replace) history.replaceState(null, '', pathOf(route));
  else history.pushState(null, '', pathOf(route));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('popstate', listener);
  };
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => location.pathname));
}
