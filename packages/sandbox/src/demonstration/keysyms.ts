/** Keys that change what others mean, by keysym → the name that a combination has for them. */
export const modifierNames: Readonly<Record<number, string>> = {
  65505: 'shift',
  65506: 'shift',
  65507: 'ctrl',
  65508: 'ctrl',
  65511: 'super',
  65512: 'super',
  65513: 'alt',
  65514: 'alt',
  65515: 'super',
  65516: 'super',
  65027: 'ISO_Level3_Shift',
  65406: 'ISO_Level3_Shift',
};

const functionKeys = Array.from({ length: 24 }, (_, index): [number, string] => [65470 + index, `F${index + 1}`]);
const keypadDigits = Array.from({ length: 10 }, (_, index): [number, string] => [65456 + index, `KP_${index}`]);

const names: ReadonlyMap<number, string> = new Map<number, string>([
  [0xff08, 'BackSpace'],
  [0xff09, 'Tab'],
  [0xff0a, 'Linefeed'],
  [0xff0b, 'Clear'],
  [0xff0d, 'Return'],
  [0xff13, 'Pause'],
  [0xff14, 'Scroll_Lock'],
  [0xff1b, 'Escape'],
  [0xff50, 'Home'],
  [0xff51, 'Left'],
  [0xff52, 'Up'],
  [0xff53, 'Right'],
  [0xff54, 'Down'],
  [0xff55, 'Page_Up'],
  [0xff56, 'Page_Down'],
  [0xff57, 'End'],
  [0xff61, 'Print'],
  [0xff63, 'Insert'],
  [0xff67, 'Menu'],
  [0xff7f, 'Num_Lock'],
  [0xff8d, 'KP_Enter'],
  [0xff95, 'KP_Home'],
  [0xff96, 'KP_Left'],
  [0xff97, 'KP_Up'],
  [0xff98, 'KP_Right'],
  [0xff99, 'KP_Down'],
  [0xff9a, 'KP_Page_Up'],
  [0xff9b, 'KP_Page_Down'],
  [0xff9c, 'KP_End'],
  [0xff9e, 'KP_Insert'],
  [0xff9f, 'KP_Delete'],
  [0xffaa, 'KP_Multiply'],
  [0xffab, 'KP_Add'],
  [0xffac, 'KP_Separator'],
  [0xffad, 'KP_Subtract'],
  [0xffae, 'KP_Decimal'],
  [0xffaf, 'KP_Divide'],
  [0xffe5, 'Caps_Lock'],
  [0xffff, 'Delete'],
  [0xfe20, 'ISO_Left_Tab'],
  ...functionKeys,
  ...keypadDigits,
]);

/** Locks change the case of later characters, which arrive as what they have become. */
export const isLock = (keysym: number): boolean => keysym === 0xffe5 || keysym === 0xff7f || keysym === 0xff14;

/** The character that a key writes; null for keys that write none, or one that only an old keysym names. */
export function characterOf(keysym: number): string | null {
  if ((keysym >= 0x20 && keysym <= 0x7e) || (keysym >= 0xa0 && keysym <= 0xff)) return String.fromCodePoint(keysym);
  // The currency signs are the one old block with the numbers of Unicode.
  if (keysym >= 0x20a0 && keysym <= 0x20ac) return String.fromCodePoint(keysym);
  if (keysym > 0x01000000 && keysym <= 0x0110ffff) return String.fromCodePoint(keysym - 0x01000000);
  return null;
}

/** A name for any key, which a sandbox understands. */
export const keyName = (keysym: number): string =>
  names.get(keysym) ?? characterOf(keysym) ?? `0x${keysym.toString(16).padStart(4, '0')}`;
