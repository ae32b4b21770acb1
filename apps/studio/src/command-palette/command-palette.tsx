import type { KindMeta } from '@cua-forge/spec/kind';
import { Command } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useServer } from '../api/server-store.ts';
import { KindTile } from '../canvas/family.tsx';
import { useView } from '../canvas/view-store.ts';
import { useDocument } from '../document/document-store.ts';
import type { EditorCommand } from '../editor/commands.ts';
import { Dialog } from '../ui/dialog.tsx';
import { findEntries, type PaletteEntry, paletteEntries } from './entries.ts';

interface CommandPaletteProps {
  commands: readonly EditorCommand[];
  onAdd(kind: KindMeta): void;
  onClose(): void;
}

const sections = { command: 'Commands', node: 'Nodes', kind: 'Add a node' } as const;

/** Commands, nodes of the document and kinds in one list that is searched while typing. */
export function CommandPalette({ commands, onAdd, onClose }: CommandPaletteProps) {
  const document = useDocument((state) => state.document);
  const readOnly = useDocument((state) => state.readOnly);
  const kinds = useServer((state) => state.kinds);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const asked = useDeferredValue(query);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const entries = useMemo(
    () => paletteEntries(commands, document, kinds, readOnly),
    [commands, document, kinds, readOnly],
  );
  const found = useMemo(() => findEntries(entries, asked), [entries, asked]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => setAt(0), [found]);
  useEffect(() => {
    list.current?.querySelector(`[data-at="${at}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const choose = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    // The dialog gives the focus back first; what is chosen may move it.
    requestAnimationFrame(() => {
      if (entry.type === 'command') entry.command.run();
      else if (entry.type === 'kind') onAdd(entry.kind);
      else useView.getState().show(entry.graph, entry.node);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(found.length - 1, at + step)));
  };
  const now = found[at];
  return (
    // What stands in the field and what is listed may differ for a moment: Enter takes the answer to what stands there.
    <Dialog
      title="Find a command, node or kind"
      onClose={onClose}
      onSubmit={() => choose(asked === query ? now : findEntries(entries, query)[0])}
    >
      <input
        className="input"
        role="combobox"
        aria-label="Command, node or kind"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={now === undefined ? undefined : `${id}-${at}`}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder="Type to search…"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {found.length === 0 && <p className="hint">Nothing matches “{asked}”.</p>}
      <div ref={list} id={`${id}-list`} className="command-list" role="listbox" aria-label="Matches">
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above hears the keys of this list
          <div
            key={entry.id}
            id={`${id}-${index}`}
            data-at={index}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="command-entry"
            onClick={() => choose(entry)}
          >
            {entry.type === 'command' ? (
              <span className="tile">
                <Command size={13} aria-hidden />
              </span>
            ) : (
              <KindTile kind={entry.type === 'kind' ? entry.kind.id : entry.kind} size={13} />
            )}
            <span className="grow">
              <span className="truncate command-title">{entry.title}</span>
              <span className="truncate command-detail">{entry.detail}</span>
            </span>
            {entry.keys === '' ? <span className="muted small">{sections[entry.type]}</span> : <kbd>{entry.keys}</kbd>}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
