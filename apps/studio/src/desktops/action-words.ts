import type { RecordedAction } from '@cua-forge/spec/solution';

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
const withModifiers = (modifiers: readonly string[], rest: string): string => [...modifiers, rest].join(' + ');
const times = (count: number): string => (count > 1 ? ` ${count} times` : '');

/** An action in words: `Double click at 120, 40`. */
export function actionWords(action: RecordedAction): string {
  switch (action.do) {
    case 'move':
      return `Point at ${action.point.x}, ${action.point.y}`;
    case 'click': {
      const kind = ['Click', 'Double click', 'Triple click'][action.count - 1] ?? 'Click';
      const name = action.button === 'left' ? kind : `${kind} (${action.button})`;
      return `${withModifiers(action.modifiers, name)} at ${action.point.x}, ${action.point.y}`;
    }
    case 'drag': {
      const [from, to] = [action.path[0], action.path.at(-1)];
      return `${withModifiers(action.modifiers, 'Drag')} from ${from?.x}, ${from?.y} to ${to?.x}, ${to?.y}`;
    }
    case 'scroll':
      return `${withModifiers(action.modifiers, 'Scroll')} ${action.direction}${times(action.clicks)}`;
    case 'type':
      return `Type “${short(action.text)}”`;
    case 'key':
      return `Press ${action.combination}${times(action.count)}`;
    case 'wait-window':
      return `Wait for the window ${action.title ?? action.class ?? ''}`;
    case 'wait-still':
      return 'Wait until the screen is still';
  }
}
