import type { Role } from '@cua-forge/spec/api-route';
import type { ReactNode } from 'react';
import { useMay } from '../api/session-store.ts';

/** Shows what takes a role to those who have it. */
export function May({ needs, children }: { needs: Role; children: ReactNode }) {
  return useMay(needs) ? children : null;
}
