// Before those of any page, which may say otherwise.
import './styles/tokens.css';
import './styles/base.css';
import './styles/app.css';
import './styles/canvas.css';
import './styles/panels.css';
import './styles/editor.css';
import { askFirst, preload } from './preload.ts';

askFirst(location.pathname);
await import('./parser.ts');
const starting = import('./start.tsx');
// With its code and contents at hand a page is shown at once; React would hold it back for a while after a sign of loading.
await preload(location.pathname);
const { start } = await starting;
start();
