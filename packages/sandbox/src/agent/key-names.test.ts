import { describe, expect, it } from 'vitest';
import { parseKeys } from './key-names.ts';

describe('parseKeys', () => {
  it.each([
    ['ctrl+shift+t', ['Control_L', 'Shift_L', 't']],
    ['Control_L+Return', ['Control_L', 'Return']],
    ['alt+F4', ['Alt_L', 'F4']],
    ['ctrl++', ['Control_L', '+']],
    ['+', ['+']],
    ['pgdn', ['Page_Down']],
    ['ArrowLeft', ['Left']],
    ['KeyA', ['a']],
    ['Digit7', ['7']],
    ['NumpadAdd', ['KP_Add']],
    ['num5', ['KP_5']],
    ['winleft', ['Super_L']],
    ['ControlRight', ['Control_R']],
    ['volumeup', ['XF86AudioRaiseVolume']],
    ['XF86AudioPlay', ['XF86AudioPlay']],
    ['é', ['é']],
  ])('%s is %j', (combination, keys) => expect(parseKeys(combination)).toEqual(keys));

  it('takes lists, in which a plus is a key', () => expect(parseKeys(['ctrl', '+'])).toEqual(['Control_L', '+']));

  it.each(['', 'ctrl+', '+a'])('refuses %j', (combination) =>
    expect(() => parseKeys(combination)).toThrow(expect.objectContaining({ code: 'sandbox.refused' })),
  );

  it('leaves unknown names to the sandbox, names of prototypes included', () =>
    expect(parseKeys('constructor+nonsense')).toEqual(['constructor', 'nonsense']));
});
