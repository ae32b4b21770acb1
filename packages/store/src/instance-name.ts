import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { StoreSettings } from './store-settings.ts';

/** A short name for who works on this store: processes of one machine find each other by it. */
export const instanceName = ({ folder }: Pick<StoreSettings, 'folder'>): string =>
  createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12);
