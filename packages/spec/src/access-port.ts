import { z } from 'zod';
import { AuditAction } from './api-route.ts';

/** One line of the audit trail: who did what to what. It holds no values and no secrets. */
export const AuditEntry = z.strictObject({
  /** Grows over the whole store. */
  id: z.number().int(),
  at: z.number().int(),
  /** Name of the user; `local` where the server asks for no login. */
  user: z.string(),
  action: AuditAction,
  /** Id of the document, run or batch. */
  target: z.string(),
  /** Few words of what exactly: `decision=approve key=look`. */
  detail: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;
export type NewAuditEntry = Omit<AuditEntry, 'id'>;

/** The answer to a request that was sent under an idempotency key, as JSON, and the hash of what was sent. */
export interface KeyedAnswer {
  bodyHash: string;
  answer: string;
}

/** The part of the store that keeps who did what, and which requests were answered. */
export interface AccessLog {
  /** Entries are added and never changed. */
  addAudit(entry: NewAuditEntry): Promise<void>;
  /** Newest first. `before` is the id to go on from. */
  listAudit(filter: {
    user?: string;
    action?: AuditAction;
    target?: string;
    before?: number;
    limit: number;
  }): Promise<AuditEntry[]>;

  /** Records the answer to the request of a key; answers with the one that is recorded, which is the first. */
  keepAnswer(key: string, answer: KeyedAnswer, at: number): Promise<KeyedAnswer>;
  keptAnswer(key: string): Promise<KeyedAnswer | null>;
}
