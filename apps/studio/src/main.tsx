// Before those of any page, which may say otherwise.
import './styles/tokens.css';
import './styles/base.css';
import './styles/app.css';
import './styles/canvas.css';
import './styles/panels.css';
import './styles/editor.css';
import { config } from 'zod';
import { preload } from './preload.ts';

// Pages run under a policy without eval; the parser is told before any schema is made.
config({ jitless: true });

const starting = import('./start.tsx');
const page = preload(location.pathname);
const { start } = await starting;
// With its code at hand a page is shown at once; React would hold it back for a while after a sign of loading.
await page;
start();
