import { filesOfTar, packageOfFiles } from '@cua-forge/package-folder/package-files';
import { ForgeError } from '@cua-forge/spec/errors';
import type { PackageRecord, Store } from '@cua-forge/spec/store-port';
import { putJson } from '../runs/json-artifact.ts';

/**
 * Takes up a package from its .tar. The same package again changes nothing.
 * @throws ForgeError `input.invalid` when it is no whole package; `run.state` when another package of that id is here
 */
export async function importPackage(
  { meta, artifacts }: Store,
  archive: Uint8Array,
  now: number,
): Promise<PackageRecord> {
  const loaded = packageOfFiles(await filesOfTar(archive));
  const { manifest } = loaded.package;
  for (const bytes of loaded.bytes.values()) await artifacts.put(bytes);
  const hash = await putJson(artifacts, loaded.package);
  const known = await meta.getPackage(manifest.id);
  if (known !== null) {
    const task = loaded.package.files.find(({ path }) => path === 'task.json')?.file.hash;
    const before = JSON.parse(new TextDecoder().decode(await artifacts.get(known.value.hash)));
    if (JSON.stringify(before).includes(task ?? '-')) return known;
    throw new ForgeError('run.state', `Another package with the id ${manifest.id} is here already.`, {
      fix: 'Import it into another store.',
    });
  }
  const record: PackageRecord = {
    id: manifest.id,
    runId: manifest.run,
    batchId: null,
    skill: manifest.skills[0] ?? '',
    seed: manifest.seed,
    title: manifest.title,
    outcomeKind: manifest.outcome.kind,
    rehearsed: manifest.models.includes('rehearsal'),
    value: { hash, size: (await artifacts.get(hash)).byteLength },
    createdAt: now,
  };
  await meta.addPackage(record);
  return record;
}
