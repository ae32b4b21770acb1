import { type StoreSettings, storeSettings } from '@cua-forge/store/store-settings';
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
/** An empty variable counts as one that is not set. */
const unset = (value: unknown): unknown => (value === '' ? undefined : value);

/** What a worker process can serve: workflow code, and the queues of activities. */
export const WorkerRole = z.enum(['workflows', 'light', 'model', 'heavy']);
export type WorkerRole = z.infer<typeof WorkerRole>;

const WorkerEnv = z.object({
  /** Folder of the store, shared with the server; used as far as DATABASE_URL and FORGE_ARTIFACTS do not name other places. */
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
  /** Workflow tasks, and short activities of workflows, at once. */
  FORGE_WORKFLOW_SLOTS: z.preprocess(unset, z.coerce.number().int().min(2).max(1_000).default(40)),
  FORGE_LOCAL_SLOTS: Slots(200),
  /** Workflows kept in memory between their tasks; without it, as many as the memory allows. */
  FORGE_CACHED_WORKFLOWS: z.preprocess(unset, z.coerce.number().int().min(2).max(100_000).optional()),
  /** Which of workflows, light, model and heavy this process serves; all by default. */
  FORGE_QUEUES: z.preprocess(
    (value) =>
      typeof value === 'string' && value.trim() !== '' ? value.split(',').map((name) => name.trim()) : undefined,
    z.array(WorkerRole).min(1).default(['workflows', 'light', 'model', 'heavy']),
  ),
  /** How this worker is called in the Temporal UI and in `forge workers`; by default process and host. */
  FORGE_WORKER_NAME: z.preprocess(unset, z.string().max(100).optional()),
  /** Names this build. With it, runs stay with the build that they were started on. */
  FORGE_BUILD_ID: z.preprocess(unset, z.string().max(100).optional()),
  /** `host:port` on which Prometheus finds this worker's figures. */
  FORGE_METRICS_ADDRESS: z.preprocess(
    unset,
    z
      .string()
      .regex(/^[^\s]+:\d{1,5}$/, 'host and port, for example 127.0.0.1:9464')
      .optional(),
  ),
  /** `host:port` on which servers of other machines reach the desktops of this one; without it, servers of this machine alone. `off` shows none. */
  FORGE_DESKTOPS_LISTEN: z.preprocess(
    unset,
    z
      .string()
      .regex(/^([^\s]+:\d{1,5}|off)$/, 'host and port, for example 0.0.0.0:7410, or off')
      .optional(),
  ),
  /** What such servers show with every request. */
  FORGE_DESKTOPS_TOKEN: z.preprocess(unset, z.string().min(16, 'at least 16 characters').optional()),
  /** LibreOffice's program, where it is not on PATH. */
  FORGE_SOFFICE: z.string().optional(),
  FORGE_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
});
export type WorkerEnv = z.infer<typeof WorkerEnv> & {
  store: StoreSettings;
  /** Where desktops are shown: an address for servers of other machines; without one, this machine's servers alone; null shows none. */
  desktops: { host: string; port: number; token: string } | undefined | null;
};

function desktopsOf({ FORGE_DESKTOPS_LISTEN: listen, FORGE_DESKTOPS_TOKEN: token }: z.infer<typeof WorkerEnv>) {
  if (listen === undefined) return undefined;
  if (listen === 'off') return null;
  if (token === undefined)
    throw new Error(
      'FORGE_DESKTOPS_LISTEN would show desktops to everybody: set FORGE_DESKTOPS_TOKEN, here and at the server.',
    );
  const colon = listen.lastIndexOf(':');
  return { host: listen.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(listen.slice(colon + 1)), token };
}

/** @throws Error, or a ForgeError `input.invalid`, that names every variable that is wrong */
export function loadEnv(source: Readonly<Record<string, string | undefined>>): WorkerEnv {
  const parsed = WorkerEnv.safeParse(source);
  if (parsed.success)
    return {
      ...parsed.data,
      store: storeSettings(source, parsed.data.FORGE_STORE),
      desktops: desktopsOf(parsed.data),
    };
  throw new Error(`The worker's environment is not right:\n${z.prettifyError(parsed.error)}`);
}
