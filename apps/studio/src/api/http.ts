import { Http } from '@cua-forge/api-client/http';
import { takeEarly } from './early.ts';

/** Called after each request: whether the server answered at all. */
type Reach = (reached: boolean) => void;
let onReach: Reach = () => {};
export function watchReach(listener: Reach): void {
  onReach = listener;
}

/** Called when an answer says that nobody is logged in (any more). */
let onLoggedOut: () => void = () => {};
export function watchLoggedOut(listener: () => void): void {
  onLoggedOut = listener;
}

/** Requests to the page's own origin. Each part of the API has a file beside this one, so that a page loads only what it asks for. */
export const http = new Http({
  url: '',
  async fetch(address, request) {
    const early = request?.method === 'GET' && typeof address === 'string' ? await takeEarly(address) : null;
    const response = early ?? (await fetch(address, request));
    if (response.status === 401) onLoggedOut();
    return response;
  },
  onReach: (reached) => onReach(reached),
  advice: 'Start it (npm start) and try again; nothing in this window is lost.',
});
