import { useSyncExternalStore } from 'react';

export type Route =
  | { page: 'documents' }
  | { page: 'document'; id: string }
  | { page: 'runs' }
  | { page: 'run'; id: string }
  | { page: 'packages' }
  | { page: 'package'; id: string };

/** The route of a path; anything unknown is the list of documents. */
export function parseRoute(path: string): Route {
  const [, section, id] = path.split('/');
  const name = id === undefined || id === '' ? undefined : decodeURIComponent(id);
  if (section === 'documents' && name !== undefined) return { page: 'document', id: name };
  if (section === 'runs') return name === undefined ? { page: 'runs' } : { page: 'run', id: name };
  if (section === 'packages') return name === undefined ? { page: 'packages' } : { page: 'package', id: name };
  return { page: 'documents' };
}

export function pathOf(route: Route): string {
  return 'id' in route ? `/${route.page}s/${encodeURIComponent(route.id)}` : `/${route.page}`;
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
