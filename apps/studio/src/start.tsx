import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startHealthWatch } from './api/server-store.ts';
import { startSessionWatch } from './api/session-store.ts';
import { App } from './app.tsx';
import { startTheme } from './ui/theme.ts';

/** Shows the studio in the page. */
export function start(): void {
  const root = document.getElementById('root');
  if (root === null) throw new Error('The page has no element with the id root.');
  startTheme();
  startHealthWatch();
  startSessionWatch();
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
