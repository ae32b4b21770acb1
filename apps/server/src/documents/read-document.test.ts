import { describe, expect, it } from 'vitest';
import { inspect, inspectRecord } from './read-document.ts';

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

  it('gives the same view of a record until something of it changes', () => {
    const kinds = [] as const;
    const record = { id: 'v', title: 'T', revision: 1, hash: 'h', source: text('v'), updatedAt: 1 };
    const first = inspectRecord(record, kinds);
    expect(first).toEqual({ record, ...inspect(text('v'), kinds) });
    expect(inspectRecord({ ...record }, kinds)).toBe(first);
    expect(inspectRecord({ ...record, revision: 2 }, kinds).record.revision).toBe(2);
    expect(inspectRecord(record, kinds).record.revision).toBe(1);
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
