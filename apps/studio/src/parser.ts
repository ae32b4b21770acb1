import { config } from 'zod';

// Pages run under a policy without eval; the parser is told before any schema is made.
config({ jitless: true });
