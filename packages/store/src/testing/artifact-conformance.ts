import { expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import type { ConformanceContext } from './conformance-context.ts';
import { artifactOf, sampleBytes } from './samples.ts';

const small = 300;
const large = 200_000;

export function artifactConformance({ pair, open, damage }: ConformanceContext): void {
  it.each([0, 1, small, 8_192, 8_193, large, 3_000_000])(
    'gives back %i bytes, over another connection too',
    async (size) => {
      const { one, two } = pair();
      const bytes = sampleBytes(size);
      const stored = await one.artifacts.put(bytes);
      expect(stored).toEqual({ hash: sha256(bytes), size });
      expect(await one.artifacts.has(stored.hash)).toBe(true);
      expect(await two.artifacts.has(stored.hash)).toBe(true);
      expect(Buffer.compare(await two.artifacts.get(stored.hash), bytes)).toBe(0);
      expect(Buffer.compare(await one.artifacts.get(stored.hash), bytes)).toBe(0);
    },
  );

  it.each([small, large])('stores the same %i bytes once, whoever puts them at the same time', async (size) => {
    const { one, two } = pair();
    const bytes = sampleBytes(size);
    const stored = await Promise.all(
      Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : two).artifacts.put(bytes)),
    );
    expect(new Set(stored.map(({ hash }) => hash))).toEqual(new Set([sha256(bytes)]));
    expect(Buffer.compare(await two.artifacts.get(sha256(bytes)), bytes)).toBe(0);
  });

  it('is not changed by who changes the bytes afterwards', async () => {
    const { one } = pair();
    const bytes = sampleBytes(small);
    const { hash } = await one.artifacts.put(bytes);
    bytes.fill(0);
    const read = await one.artifacts.get(hash);
    expect(sha256(read)).toBe(hash);
    read.fill(0);
    expect(sha256(await one.artifacts.get(hash))).toBe(hash);
  });

  it.each([sha256('never stored'), 'no-hash', '../forge.sqlite'])('says that %s is missing', async (hash) => {
    const { one } = pair();
    expect(await one.artifacts.has(hash)).toBe(false);
    await expect(one.artifacts.get(hash)).rejects.toMatchObject({
      code: 'artifact.missing',
      message: expect.stringContaining(hash),
    });
  });

  const damages = (['flip', 'truncate'] as const).flatMap((how) => [small, large].map((size) => ({ how, size })));
  it.skipIf(damage === undefined).each(damages)(
    'finds damage ($how, $size bytes), and heals by the next put',
    async ({ how, size }) => {
      const artifact = artifactOf(sampleBytes(size));
      await pair().one.artifacts.put(artifact.bytes);
      await damage?.(artifact.hash, how);
      const fresh = await open();
      await expect(fresh.artifacts.get(artifact.hash)).rejects.toMatchObject({
        code: 'artifact.corrupt',
        message: expect.stringContaining(artifact.hash),
      });
      await fresh.artifacts.put(artifact.bytes);
      await fresh.meta.close();
      const healed = await open();
      expect(Buffer.compare(await healed.artifacts.get(artifact.hash), artifact.bytes)).toBe(0);
      await healed.meta.close();
    },
  );

  it.skipIf(damage === undefined).each([small, large])(
    'says that %i bytes are missing once they are gone',
    async (size) => {
      const { hash } = await pair().one.artifacts.put(sampleBytes(size));
      await damage?.(hash, 'remove');
      const fresh = await open();
      expect(await fresh.artifacts.has(hash)).toBe(false);
      await expect(fresh.artifacts.get(hash)).rejects.toMatchObject({ code: 'artifact.missing' });
      await fresh.meta.close();
    },
  );
}
