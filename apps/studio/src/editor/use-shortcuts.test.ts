import { describe, expect, it } from 'vitest';
import { chordOf } from './use-shortcuts.ts';

const press = (key: string, more: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) =>
  chordOf({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...more });

describe('chords', () => {
  it('are written one way whatever the keyboard', () => {
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toBe('Ctrl+Shift+z');
    expect(press('z', { metaKey: true })).toBe('Ctrl+z');
    expect(press('?', { shiftKey: true })).toBe('?');
    expect(press('Delete')).toBe('Delete');
  });
});
