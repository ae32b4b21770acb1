import { config } from 'zod';
import { preload } from './preload.ts';

// Pages run under a policy without eval; the parser is told before any schema is made.
config({ jitless: true });

const page = preload(location.pathname);
const { start } = await import('./start.tsx');
// With its code at hand a page is shown at once; React would hold it back for a while after a sign of loading.
await page;
start();
