/** Keys by pyautogui's names where X has others. */
const keys: Record<string, string> = {
  enter: 'Return',
  return: 'Return',
  esc: 'Escape',
  escape: 'Escape',
  tab: 'Tab',
  space: 'space',
  backspace: 'BackSpace',
  delete: 'Delete',
  del: 'Delete',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'Prior',
  pagedown: 'Next',
  win: 'super',
};

const keyName = (name: string): string => keys[name.toLowerCase()] ?? name.replace(/^f(\d+)$/i, 'F$1');
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const place = (text: string, half: string): string => (/^\d+$/.test(text) ? text : `"$((${half} / 2))"`);
const coordinate = String.raw`(\d+|\{SCREEN_WIDTH_HALF\}|\{SCREEN_HEIGHT_HALF\})`;

/** What opens a terminal, and a wait for one that takes what is typed. */
const terminalKeys = 'ctrl+alt+t';
const untilTerminal = 'timeout 30 xdotool search --sync --onlyvisible --class term >/dev/null\nsleep 2';

const statements: [RegExp, (found: RegExpExecArray) => string][] = [
  [/^$|^import (?:pyautogui|time)$/, () => ''],
  [/^time\.sleep\(([\d.]+)\)$/, ([, seconds]) => `sleep ${seconds}`],
  [
    new RegExp(`^pyautogui\\.click\\(${coordinate}, ?${coordinate}\\)$`),
    ([, x = '', y = '']) => `xdotool mousemove ${place(x, 'width')} ${place(y, 'height')} click 1`,
  ],
  [
    /^pyautogui\.hotkey\(\[?((?:["'][^"']+["'](?:, ?)?)+)\]?\)$/,
    ([, list = '']) => {
      const pressed = [...list.matchAll(/["']([^"']+)["']/g)].map(([, key = '']) => keyName(key)).join('+');
      return `xdotool key ${pressed}${pressed === terminalKeys ? `\n${untilTerminal}` : ''}`;
    },
  ],
  [
    /^pyautogui\.press\(["']([^"']+)["'](?:, ?presses=(\d+))?(?:, ?interval=[\d.]+)?\)$/,
    ([, key = '', count = '1']) => `xdotool key --repeat ${count} --delay 100 ${keyName(key)}`,
  ],
  [
    /^pyautogui\.(?:write|typewrite)\(["']([^"']*)["']\)$/,
    ([, text = '']) => `xdotool type --delay 20 -- ${quoted(text)}`,
  ],
];

/** The same as a shell script, for a Python program that does nothing but operate the screen; undefined for any other. */
export function screenScript(program: string): string | undefined {
  const lines = ['set -e', 'read -r width height < <(xdotool getdisplaygeometry)'];
  for (const statement of program.split(/[;\n]/).map((one) => one.trim())) {
    const known = statements
      .map(([pattern, line]) => [pattern.exec(statement), line] as const)
      .find(([found]) => found);
    if (known?.[0] == null) return undefined;
    lines.push(known[1](known[0]));
  }
  return lines.filter((line) => line !== '').join('\n');
}

/** What a command line wants of Python to be done on the screen; undefined where it is no such command. */
export function screenProgram(parts: readonly string[]): string | undefined {
  const [program = '', flag, code] = parts;
  return /^python3?$/.test(program) && flag === '-c' && code?.includes('pyautogui') ? code : undefined;
}
