import { Hash } from '@cua-forge/spec/value';
import { z } from 'zod';

/**
 * A backup is a tar, compressed or not, of
 *
 *     manifest.json                       what it is, and the migrations of the store
 *     tables/<table>/<number>-<sha256>.jsonl   rows, each an object; bytes are base64
 *     artifacts/<sha256>                  larger artifacts
 *     end.json                            how many of each there are: without it the backup is cut off
 *
 * in this order, tables that others refer to first. Every entry but the first and the last has its hash in its name.
 */
export const BackupManifest = z.strictObject({
  format: z.literal(1),
  product: z.literal('cua-forge'),
  createdAt: z.number().int(),
  migrations: z.array(z.string()),
  /** For showing progress; artifacts may have come since they were counted. */
  expected: z.strictObject({ rows: z.number().int().nonnegative(), artifacts: z.number().int().nonnegative() }),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export const BackupEnd = z.strictObject({
  rows: z.record(z.string(), z.number().int().nonnegative()),
  artifacts: z.number().int().nonnegative(),
  /** Artifacts that are left out because their bytes no longer have their hash. */
  damaged: z.array(Hash),
});
export type BackupEnd = z.infer<typeof BackupEnd>;

/** A row as a line holds it. */
export const BackupRow = z.record(z.string(), z.union([z.string(), z.number(), z.null()]));

/** What a store makes up by itself, or what holds for one moment only. */
export const notBackedUp: ReadonlySet<string> = new Set(['leases', 'blob_links', 'condemned_blobs']);

export const tableEntry = /^tables\/(\w+)\/(\d+)-([0-9a-f]{64})\.jsonl$/;
export const artifactEntry = /^artifacts\/([0-9a-f]{64})$/;
