import { describe, expect, it } from 'vitest';
import { coarser, periodLabel, periodOfCell, periodOfText } from './periods.ts';

describe('periods', () => {
  it('reads dates, months and quarters as people write them', () => {
    const read = (texts: string[]) => texts.map(periodOfText);
    expect(
      read([
        '2025-03-09',
        '2025-03-09T10:30:00',
        '2025-03',
        'Mar 2025',
        'march',
        'Sept',
        'Q2',
        'Quarter 3',
        '2024 Q1',
        'Q4 2024',
      ]),
    ).toEqual([
      '2025-03',
      '2025-03',
      '2025-03',
      '2025-03',
      '0000-03',
      '0000-09',
      '0000-Q2',
      '0000-Q3',
      '2024-Q1',
      '2024-Q4',
    ]);
    expect(read(['Marketing', 'Mayor', '2025-02-30', '2025-13', 'Q5', 'Decorations', ''])).toEqual(
      Array(7).fill(undefined),
    );
  });

  it('reads bare numbers only under headings of months and years', () => {
    expect(periodOfCell(7, 'Month')).toBe('0000-07');
    expect(periodOfCell(2021, 'Fiscal Year')).toBe('2021');
    expect([periodOfCell(7, 'Units'), periodOfCell(13, 'Month'), periodOfCell(1.5, 'Month')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('rolls up and labels', () => {
    expect(['2025-03', '2025-04', '2025-Q2'].map((key) => coarser(key, 'quarter'))).toEqual([
      '2025-Q1',
      '2025-Q2',
      '2025-Q2',
    ]);
    expect([
      periodLabel('2025-03', 'long', true),
      periodLabel('0000-03', 'short', false),
      periodLabel('2025-Q1', 'iso', true),
      periodLabel('2025', 'iso', false),
    ]).toEqual(['March 2025', 'Mar', '2025 Q1', 2025]);
  });
});
