import { expect, it } from 'vitest';
import { bytesWithoutHidden, keptBack, withoutHidden } from './hidden-values.ts';

const secret = 'a'.repeat(64);
const open = { hash: 'b'.repeat(64), size: 9, preview: 'seen' };

it('takes the way to hidden values out of whatever names them, and leaves the rest as it is', () => {
  const outcome = { inputs: { spec: [open], answers: [{ hash: secret, size: 70, hidden: true }] }, token: 3 };
  expect(withoutHidden(outcome)).toEqual({
    inputs: { spec: [open], answers: [{ hash: keptBack, size: 0, hidden: true }] },
    token: 3,
  });
  const content = {
    manifest: { id: 'p' },
    files: [
      { path: 'hidden/expected.json', file: { hash: secret }, executable: false },
      { path: 'files/a.xlsx', file: open, executable: false },
    ],
  };
  expect(withoutHidden(content)).toEqual({ manifest: { id: 'p' }, files: [content.files[1]] });
  const plain = { a: [1, { hidden: false }, { hidden: 'yes', hash: 'x' }], path: 'hidden/words' };
  expect(withoutHidden(plain)).toBe(plain);
});

it('masks stored JSON, and gives other bytes as they are', () => {
  const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const masked = bytesWithoutHidden(bytes([{ hash: secret, size: 1, hidden: true }]));
  expect(JSON.parse(new TextDecoder().decode(masked))).toEqual([{ hash: keptBack, size: 0, hidden: true }]);
  for (const kept of [bytes({ a: 1 }), new TextEncoder().encode('{no JSON'), new Uint8Array([1, 2, 3])])
    expect(bytesWithoutHidden(kept)).toBe(kept);
});
