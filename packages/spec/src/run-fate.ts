import { z } from 'zod';
import type { RunState } from './store-port.ts';

export const Fate = z.enum(['accepted', 'rejected', 'failed', 'cancelled', 'running', 'waiting']);
export type Fate = z.infer<typeof Fate>;

/**
 * What a run counts as in its batch. One that a gate turned down is rejected, in contrast to one that broke; one that the budget stopped
 * waits for more of it. `code` is that of its failure.
 */
export function fateOf(state: RunState, code: string | null): Fate {
  switch (state) {
    case 'succeeded':
      return 'accepted';
    case 'cancelled':
      return 'cancelled';
    case 'running':
    case 'needs-attention':
      return 'running';
    case 'queued':
      return 'waiting';
    case 'terminated':
      return 'failed';
    case 'failed':
      if (code === 'budget.exhausted') return 'waiting';
      return code?.startsWith('gate.') === true ? 'rejected' : 'failed';
  }
}
