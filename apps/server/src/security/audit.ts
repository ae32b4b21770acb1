import type { NewAuditEntry } from '@cua-forge/spec/access-port';
import type { ApiRoute } from '@cua-forge/spec/api-route';
import { z } from 'zod';
import type { AnyCall } from '../http/handlers.ts';

const Identified = z.looseObject({ id: z.string() });
/** What was made, where the answer tells more than that. */
const Made = z.union([
  Identified.transform(({ id }) => id),
  z.looseObject({ hook: Identified }).transform(({ hook }) => hook.id),
  z.looseObject({ schedule: Identified }).transform(({ schedule }) => schedule.id),
]);
const Members = z.record(z.string(), z.unknown());
const Plain = z.union([z.string().max(200), z.number(), z.boolean(), z.null(), z.array(z.string().max(200)).max(20)]);

/** The line that a request leaves in the audit trail; null for one that changes nothing. Of the body it has only what the route names. */
export function auditEntryOf(
  { audit }: ApiRoute,
  { params, body, user }: AnyCall,
  answer: unknown,
  at: number,
): NewAuditEntry | null {
  if (audit === undefined) return null;
  const sent = Members.safeParse(body).data ?? {};
  const parts = params.key === undefined ? [] : [`key=${params.key}`];
  for (const name of audit.keep ?? []) {
    const value = Plain.safeParse(sent[name]);
    if (value.success) parts.push(`${name}=${Array.isArray(value.data) ? value.data.join(',') : String(value.data)}`);
  }
  const target = params.id ?? Made.safeParse(answer).data ?? '';
  return { at, user: user?.name ?? '', action: audit.action, target, detail: parts.join(' ') };
}
