import { describe, expect, it } from 'vitest';
import { inspect } from './read-document.ts';

const text = (id: string, length = 0) =>
  `forge: 1\nid: ${id}\ntitle: T\nnodes: []\ndescription: x${'x'.repeat(length)}\n`;

describe('inspecting a document', () => {
  it('is done once for each text, file and set of kinds', () => {
    const kinds = [] as const;
    const first = inspect(text('a'), kinds);
    expect(first.document?.id).toBe('a');
    expect(inspect(text('a'), kinds)).toBe(first);
    expect(inspect(text('b'), kinds)).not.toBe(first);
    expect(inspect(text('a'), kinds, 'a.json').document).toBeNull();
    expect(inspect(text('a'), [])).not.toBe(first);
  });

  it('forgets what was not asked for in a long time', () => {
    const kinds = [] as const;
    const [kept, left] = [inspect(text('kept'), kinds), inspect(text('left'), kinds)];
    for (const id of ['a', 'b', 'c']) {
      inspect(text('kept'), kinds);
      inspect(text(id, 4_000_000), kinds);
    }
    expect(inspect(text('kept'), kinds)).toBe(kept);
    expect(inspect(text('left'), kinds)).not.toBe(left);
  });
});
