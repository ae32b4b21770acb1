import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import { SandboxSnapshot } from '@cua-forge/spec/sandbox-port';

/** Archives of home folders. They come from inside a sandbox, so they are never unpacked outside of one. */
export class Snapshots {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async keep(image: string, archive: Uint8Array): Promise<SandboxSnapshot> {
    const snapshot = {
      id: randomBytes(8).toString('hex'),
      image,
      bytes: archive.length,
      sha256: createHash('sha256').update(archive).digest('hex'),
      createdAt: Date.now(),
    };
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#write(`${snapshot.id}.tar.gz`, archive);
    await this.#write(`${snapshot.id}.json`, JSON.stringify(snapshot));
    return snapshot;
  }

  async read(id: string, image: string): Promise<Uint8Array> {
    if (!SandboxSnapshot.shape.id.safeParse(id).success)
      throw new ForgeError('sandbox.refused', `'${id}' is no id of a snapshot.`);
    const text = await readFile(join(this.#folder, `${id}.json`), 'utf8').catch(() => null);
    if (text === null) throw new ForgeError('sandbox.refused', `There is no snapshot '${id}' on this machine.`);
    const facts = SandboxSnapshot.parse(JSON.parse(text));
    if (facts.image !== image)
      throw new ForgeError(
        'sandbox.refused',
        `Snapshot '${id}' belongs to the image ${facts.image}, not to ${image}.`,
        {
          fix: 'Make the snapshot again with the present image.',
        },
      );
    const archive = await readFile(join(this.#folder, `${id}.tar.gz`));
    if (createHash('sha256').update(archive).digest('hex') !== facts.sha256)
      throw new ForgeError('artifact.corrupt', `The bytes of snapshot '${id}' are damaged.`);
    return archive;
  }

  async #write(name: string, data: Uint8Array | string): Promise<void> {
    const file = join(this.#folder, name);
    await writeFile(`${file}.new`, data, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}
