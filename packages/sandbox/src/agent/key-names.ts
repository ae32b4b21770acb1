import { ForgeError } from '@cua-forge/spec/errors';

const digits = [...'0123456789'];
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** Keypad keys have the same names but for their beginning: KP_ in X, num in pyautogui, Numpad in browsers. */
const keypad: Record<string, string> = {
  ...Object.fromEntries(
    digits.flatMap((one) => [
      [`num${one}`, `KP_${one}`],
      [`numpad${one}`, `KP_${one}`],
    ]),
  ),
  numpadadd: 'KP_Add',
  numpadsubtract: 'KP_Subtract',
  numpadmultiply: 'KP_Multiply',
  numpaddivide: 'KP_Divide',
  numpaddecimal: 'KP_Decimal',
  numpadcomma: 'KP_Separator',
  numpadequal: 'KP_Equal',
  numpadenter: 'KP_Enter',
};

/** Names of pyautogui, xdotool and browsers (KeyboardEvent.key and .code) in lower case → names of X. Names of X themselves pass as they are. */
const names: Readonly<Record<string, string>> = {
  // Modifiers
  ctrl: 'Control_L',
  control: 'Control_L',
  ctrlleft: 'Control_L',
  controlleft: 'Control_L',
  ctrlright: 'Control_R',
  controlright: 'Control_R',
  shift: 'Shift_L',
  shiftleft: 'Shift_L',
  shiftright: 'Shift_R',
  alt: 'Alt_L',
  altleft: 'Alt_L',
  altright: 'Alt_R',
  option: 'Alt_L',
  optionleft: 'Alt_L',
  optionright: 'Alt_R',
  altgraph: 'ISO_Level3_Shift',
  altgr: 'ISO_Level3_Shift',
  meta: 'Super_L',
  metaleft: 'Super_L',
  metaright: 'Super_R',
  super: 'Super_L',
  win: 'Super_L',
  winleft: 'Super_L',
  winright: 'Super_R',
  command: 'Super_L',
  cmd: 'Super_L',
  os: 'Super_L',
  osleft: 'Super_L',
  osright: 'Super_R',
  hyper: 'Hyper_L',
  capslock: 'Caps_Lock',
  numlock: 'Num_Lock',
  scrolllock: 'Scroll_Lock',
  fn: 'XF86Fn',
  // Editing and moving
  enter: 'Return',
  return: 'Return',
  tab: 'Tab',
  space: 'space',
  spacebar: 'space',
  backspace: 'BackSpace',
  back: 'BackSpace',
  delete: 'Delete',
  del: 'Delete',
  insert: 'Insert',
  ins: 'Insert',
  esc: 'Escape',
  escape: 'Escape',
  home: 'Home',
  end: 'End',
  pageup: 'Page_Up',
  pgup: 'Page_Up',
  prior: 'Page_Up',
  pagedown: 'Page_Down',
  pgdn: 'Page_Down',
  next: 'Page_Down',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  arrowup: 'Up',
  arrowdown: 'Down',
  arrowleft: 'Left',
  arrowright: 'Right',
  printscreen: 'Print',
  prtsc: 'Print',
  prtscr: 'Print',
  prntscrn: 'Print',
  print: 'Print',
  pause: 'Pause',
  break: 'Break',
  menu: 'Menu',
  apps: 'Menu',
  contextmenu: 'Menu',
  clear: 'Clear',
  help: 'Help',
  select: 'Select',
  execute: 'Execute',
  // Media
  volumeup: 'XF86AudioRaiseVolume',
  audiovolumeup: 'XF86AudioRaiseVolume',
  volumedown: 'XF86AudioLowerVolume',
  audiovolumedown: 'XF86AudioLowerVolume',
  volumemute: 'XF86AudioMute',
  audiovolumemute: 'XF86AudioMute',
  playpause: 'XF86AudioPlay',
  mediaplaypause: 'XF86AudioPlay',
  nexttrack: 'XF86AudioNext',
  mediatracknext: 'XF86AudioNext',
  prevtrack: 'XF86AudioPrev',
  mediatrackprevious: 'XF86AudioPrev',
  stop: 'XF86AudioStop',
  mediastop: 'XF86AudioStop',
  browserback: 'XF86Back',
  browserforward: 'XF86Forward',
  browserrefresh: 'XF86Refresh',
  browserstop: 'XF86Stop',
  browsersearch: 'XF86Search',
  browserfavorites: 'XF86Favorites',
  browserhome: 'XF86HomePage',
  launchmail: 'XF86Mail',
  launchapp1: 'XF86MyComputer',
  launchapp2: 'XF86Calculator',
  sleep: 'XF86Sleep',
  // Signs
  minus: 'minus',
  hyphen: 'minus',
  equal: 'equal',
  equals: 'equal',
  plus: 'plus',
  comma: 'comma',
  period: 'period',
  dot: 'period',
  slash: 'slash',
  backslash: 'backslash',
  semicolon: 'semicolon',
  quote: 'apostrophe',
  apostrophe: 'apostrophe',
  backquote: 'grave',
  grave: 'grave',
  bracketleft: 'bracketleft',
  bracketright: 'bracketright',
  intlbackslash: 'less',
  add: 'KP_Add',
  subtract: 'KP_Subtract',
  multiply: 'KP_Multiply',
  divide: 'KP_Divide',
  decimal: 'KP_Decimal',
  separator: 'KP_Separator',
  ...keypad,
  ...Object.fromEntries(letters.map((one) => [`key${one}`, one])),
  ...Object.fromEntries(digits.map((one) => [`digit${one}`, one])),
  ...Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`f${index + 1}`, `F${index + 1}`])),
};

/** The name that X has for a key; a single character and a name that only X knows stay what they are. */
export function keysymName(name: string): string {
  if ([...name].length === 1) return name;
  return Object.hasOwn(names, name.toLowerCase()) ? (names[name.toLowerCase()] ?? name) : name;
}

/**
 * The keys of a combination in the order they are pressed. `+` joins; a key that is itself a plus stands last or alone: `ctrl++`.
 * Whether each exists is for the sandbox to say, since it knows every keysym.
 * @throws ForgeError `sandbox.refused`
 */
export function parseKeys(combination: string | readonly string[]): string[] {
  const parts = typeof combination === 'string' ? split(combination) : [...combination];
  if (parts.length === 0 || parts.some((part) => part === ''))
    throw new ForgeError('sandbox.refused', `'${String(combination)}' is no combination of keys.`, {
      fix: 'Join names with +, such as ctrl+shift+t.',
    });
  return parts.map(keysymName);
}

function split(combination: string): string[] {
  if (combination === '+') return ['+'];
  if (combination.endsWith('++')) return [...combination.slice(0, -2).split('+'), '+'];
  return combination.split('+').map((part) => (part === ' ' ? part : part.trim()));
}
