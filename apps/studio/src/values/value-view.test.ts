import { describe, expect, it } from 'vitest';
import { gridOf } from './grid-value.tsx';
import { shapeOf } from './value-view.tsx';

describe('shapes of values', () => {
  it('tells files, workbooks, tables, text and the rest apart', () => {
    const sheet = {
      name: 'S',
      notes: {},
      headerRow: 1,
      firstColumn: 1,
      columns: [{ name: 'a', type: 'text' }],
      rows: [['x']],
      style: {},
    };
    const values = [
      'text',
      { name: 'a.xlsx', mediaType: 'application/x', hash: 'a'.repeat(64), size: 3 },
      { sheets: [sheet] },
      { columns: [{ name: 'a', type: 'integer' }], rows: [[1]] },
      { hash: 'no file' },
      [1, 2],
      null,
    ];
    expect(values.map((value) => shapeOf(value).is)).toEqual(['text', 'file', 'grid', 'grid', 'json', 'json', 'json']);
    expect(values.slice(2, 5).map((value) => gridOf(value)?.is)).toEqual(['workbook', 'table', undefined]);
    expect(gridOf({ sheets: 'none' })).toBeNull();
  });
});
