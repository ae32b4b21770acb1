import { z } from 'zod';
import { type AllowList, parseAllowList } from './http/allow-list.ts';

const Flag = z
  .enum(['', '0', '1', 'true', 'false'])
  .default('')
  .transform((value) => value === '1' || value === 'true');
const Hosts = z
  .string()
  .default('')
  .transform((text, check): AllowList => {
    try {
      return parseAllowList(text);
    } catch (thrown) {
      check.addIssue({ code: 'custom', message: thrown instanceof Error ? thrown.message : String(thrown) });
      return z.NEVER;
    }
  });
const Slots = (fallback: number) => z.coerce.number().int().min(1).max(1_000).default(fallback);

const WorkerEnv = z.object({
  /** Folder of the store, shared with the server. */
  FORGE_STORE: z.string().min(1),
  /** Folder for what the worker may lose: the workflow bundle, scratch files. */
  FORGE_DATA: z.string().min(1),
  TEMPORAL_ADDRESS: z.string().min(1).default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_TLS: Flag,
  TEMPORAL_API_KEY: z.string().optional(),
  /** Executions at once, by queue. */
  FORGE_LIGHT_SLOTS: Slots(50),
  FORGE_MODEL_SLOTS: Slots(16),
  FORGE_HEAVY_SLOTS: Slots(2),
  /** Hosts that http.request may reach; none at first. */
  FORGE_HTTP_ALLOW: Hosts,
  /** LibreOffice's program, where it is not on PATH. */
  FORGE_SOFFICE: z.string().optional(),
  FORGE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});
export type WorkerEnv = z.infer<typeof WorkerEnv>;

/** @throws Error that names every variable that is wrong */
export function loadEnv(source: Readonly<Record<string, string | undefined>>): WorkerEnv {
  const parsed = WorkerEnv.safeParse(source);
  if (parsed.success) return parsed.data;
  throw new Error(`The worker's environment is not right:\n${z.prettifyError(parsed.error)}`);
}
