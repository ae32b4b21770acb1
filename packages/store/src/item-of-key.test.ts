import { expect, it } from 'vitest';
import { itemOfKey } from './item-of-key.ts';

it.each([
  ['draft', { map: null, index: null, node: 'draft' }],
  ['polish#2/judge', { map: null, index: null, node: 'polish/judge' }],
  ['each[12]/check', { map: 'each', index: 12, node: 'check' }],
  ['a/each[0]', { map: 'a/each', index: 0, node: '' }],
  ['each[3]/inner', { map: 'each', index: 3, node: 'inner' }],
  ['each[3]/inner[2]/polish#1/check', { map: 'each[3]/inner', index: 2, node: 'polish/check' }],
])('finds the innermost item of %s', (key, item) => {
  expect(itemOfKey(key)).toEqual(item);
});
