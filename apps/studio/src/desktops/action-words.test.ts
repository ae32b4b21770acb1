import { expect, it } from 'vitest';
import { actionWords } from './action-words.ts';

it('says what was done', () => {
  const point = { x: 120, y: 40 };
  const said = [
    { do: 'click', at: 0, point, button: 'left', count: 2, modifiers: ['ctrl'] } as const,
    { do: 'click', at: 0, point, button: 'right', count: 1, modifiers: [] } as const,
    { do: 'drag', at: 0, path: [point, { x: 1, y: 2 }], button: 'left', modifiers: [], durationMs: 10 } as const,
    { do: 'scroll', at: 0, point, direction: 'down', clicks: 3, modifiers: [] } as const,
    { do: 'type', at: 0, text: '=SUM(A1)' } as const,
    { do: 'key', at: 0, combination: 'ctrl+s', count: 1 } as const,
  ].map((action) =>
    actionWords({ ...action, ...('modifiers' in action ? { modifiers: [...action.modifiers] } : {}) } as never),
  );
  expect(said).toEqual([
    'ctrl + Double click at 120, 40',
    'Click (right) at 120, 40',
    'Drag from 120, 40 to 1, 2',
    'Scroll down 3 times',
    'Type “=SUM(A1)”',
    'Press ctrl+s',
  ]);
});
