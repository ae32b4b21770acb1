import type { TaskDraft } from '@cua-forge/proof/testing/sample-task';

/** A kind of broken package. `plant` breaks a good one in place; false when it cannot be broken so. */
export interface Fault {
  kind: string;
  plant(draft: TaskDraft): Promise<boolean> | boolean;
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
export const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
