import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import type { RecordedActions, SolutionFile } from '@cua-forge/spec/solution';
import type { PackageRecord, Store } from '@cua-forge/spec/store-port';
import { type TaskManifest, TaskPackage } from '@cua-forge/spec/task';
import { getJson, putJson } from '../runs/json-artifact.ts';

const folder = 'hidden/solution/';
const entry = 'actions.json';

/** Seconds that a replay may take: what the hands took, with room for a slower machine. */
const timeoutOf = ({ actions }: RecordedActions): number =>
  Math.min(1_800, Math.max(120, Math.ceil(((actions.at(-1)?.at ?? 0) / 1000) * 3)));

/**
 * Makes a demonstration the reference solution of a package. What was proven in a sandbox with another one is proven no more.
 * @throws ForgeError `not-found`
 */
export async function keepDemonstration(
  { meta, artifacts }: Store,
  id: string,
  recording: RecordedActions,
): Promise<PackageRecord> {
  const record = await meta.getPackage(id);
  if (record === null) throw new ForgeError('not-found', `There is no package "${id}".`, { fix: listedAt('packages') });
  const before = await getJson(artifacts, record.value.hash, TaskPackage, 'package');
  const solution: SolutionFile = {
    schema: 1,
    through: 'mouse and keyboard',
    run: { how: 'actions', entry, timeoutSeconds: timeoutOf(recording) },
    mutants: [],
  };
  const written = async (path: string, value: unknown) => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
    const { hash } = await artifacts.put(bytes);
    const name = path.slice(path.lastIndexOf('/') + 1);
    return { path, executable: false, file: { name, mediaType: 'application/json', hash, size: bytes.byteLength } };
  };
  const manifest: TaskManifest = {
    ...before.manifest,
    proofs: before.manifest.proofs.map((proof) =>
      proof.by === 'gate.prove'
        ? { ...proof, status: 'not-proven', by: 'nobody', detail: 'Its reference solution has changed since.' }
        : proof,
    ),
  };
  const replaced = ({ path }: { path: string }): boolean =>
    path.startsWith(folder) || path.startsWith('proof/') || path === 'task.json';
  const after = TaskPackage.parse({
    ...before,
    manifest,
    files: [
      ...before.files.filter((file) => !replaced(file)),
      await written('task.json', manifest),
      await written(`${folder}solution.json`, solution),
      await written(`${folder}${entry}`, recording),
    ],
  });
  const hash = await putJson(artifacts, after);
  const kept = { ...record, value: { hash, size: (await artifacts.get(hash)).byteLength } };
  await meta.addPackage(kept);
  return kept;
}
