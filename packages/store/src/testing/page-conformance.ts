import { expect, it } from 'vitest';
import { sha256 } from '../hash.ts';
import type { ConformanceContext } from './conformance-context.ts';
import { uniqueId } from './samples.ts';

export function pageConformance({ pair }: ConformanceContext): void {
  it('keeps which pictures were drawn of a file, the newest ones', async () => {
    const { one, two } = pair();
    const key = uniqueId('file');
    const pictures = (text: string) => ({
      pages: [{ hash: sha256(text), size: 7, width: 900, height: 1_200 }],
      total: 3,
    });
    expect(await one.meta.pagesOf(key)).toBeNull();
    await one.meta.keepPages(key, pictures('a'), 1);
    await two.meta.keepPages(key, pictures('b'), 2);
    expect(await one.meta.pagesOf(key)).toEqual(pictures('b'));
  });
}
