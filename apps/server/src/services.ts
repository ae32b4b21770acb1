import type { Redactor } from '@cua-forge/secrets/redactor';
import type { KindMeta } from '@cua-forge/spec/kind';
import type { Store } from '@cua-forge/spec/store-port';
import type { Tracing } from '@cua-forge/telemetry/tracing';
import type { Logger } from 'pino';
import type { DesktopHosts } from './desktops/desktop-hosts.ts';
import type { EngineClient } from './engine-client.ts';
import type { EventHub } from './events/event-hub.ts';
import type { KeyedLock } from './keyed-lock.ts';
import type { ServerEnv } from './load-env.ts';
import type { Access } from './security/authenticate.ts';
import type { Collector } from './upkeep/collector.ts';

/** What the routes work with. */
export interface Services {
  env: ServerEnv;
  store: Store;
  engine: EngineClient;
  kinds: readonly KindMeta[];
  events: EventHub;
  log: Logger;
  /** Absent where nothing is traced. */
  tracing?: Tracing;
  access: Access;
  /** Masks secrets in what is answered and logged. */
  redactor: Redactor;
  /** Held while the state of a run or batch is changed, so that two changes do not mix. The key is the run's or batch's id. */
  locks: KeyedLock;
  collector: Collector;
  /** Desktops of the workers' machines. */
  desktops: DesktopHosts;
  now(): number;
}
