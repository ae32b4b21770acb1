import { useEffect, useRef } from 'react';

export type Shortcuts = Readonly<Record<string, () => void>>;

/** `Ctrl+Shift+z`, `Delete`, `c`, …: Ctrl stands for the command key too. */
export function chordOf(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const parts = [
    event.ctrlKey || event.metaKey ? 'Ctrl' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey && (key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) ? 'Shift' : '',
    key,
  ];
  return parts.filter(Boolean).join('+');
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest(`input:not([type='checkbox']), textarea, select, dialog`) !== null);

/** Heard while something is typed into, too. */
const everywhere: ReadonlySet<string> = new Set(['Ctrl+s', 'Ctrl+k', 'Ctrl+Enter']);

/** Keys of the editor. While something is typed into, only saving, running and the palette, and undo of the field itself, work. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const chord = chordOf(event);
      const action = latest.current[chord];
      // From within a shadow root only the path tells what is typed into.
      const target = event.composedPath()[0] ?? event.target;
      if (action === undefined || (isTyping(target) && !everywhere.has(chord))) return;
      if (document.querySelector('dialog[open]') !== null) return;
      // Text that is marked somewhere on the page is what a person means to copy.
      if ((chord === 'Ctrl+c' || chord === 'Ctrl+x') && window.getSelection()?.isCollapsed === false) return;
      event.preventDefault();
      action();
    };
    // React Flow would take it for Enter with the key of many selections held, and select the card no more.
    const onCard = (event: KeyboardEvent) => {
      if (chordOf(event) !== 'Ctrl+Enter' || !(event.target instanceof Element)) return;
      if (event.target.closest('.react-flow__node') === null) return;
      event.stopPropagation();
      onKey(event);
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('keydown', onCard, { capture: true });
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('keydown', onCard, { capture: true });
    };
  }, []);
}
