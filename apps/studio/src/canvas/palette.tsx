import type { KindMeta } from '@cua-forge/spec/kind';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { PanelLeftClose, Search } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useMemo, useRef, useState } from 'react';
import { useServer } from '../api/server-store.ts';
import { LoadFailed, Loading } from '../ui/states.tsx';
import { familyIdOf, familyOf, familyRank, KindTile } from './family.tsx';

export const KIND_DRAG_TYPE = 'application/x-forge-kind';

export interface KindGroup {
  family: string;
  kinds: KindMeta[];
}

/** Newest version of each kind whose id, title or sentence holds every word, by family. */
export function findKinds(kinds: readonly KindMeta[], query: string): KindGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const index = kindIndex(kinds);
  const groups = new Map<string, KindMeta[]>();
  for (const id of index.ids) {
    const kind = index.newest(id);
    if (kind === undefined) continue;
    const text = `${kind.id} ${kind.title} ${kind.doc}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const family = familyIdOf(id);
    groups.set(family, [...(groups.get(family) ?? []), kind]);
  }
  return [...groups]
    .map(([family, of]) => ({ family, kinds: of.sort((a, b) => a.title.localeCompare(b.title)) }))
    .sort((a, b) => familyRank(a.family) - familyRank(b.family) || a.family.localeCompare(b.family));
}

const noGroups: KindGroup[] = [];

const active = (items: readonly HTMLElement[]): number =>
  document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1;

interface PaletteProps {
  onAdd(kind: KindMeta): void;
  onHide(): void;
}

export function Palette({ onAdd, onHide }: PaletteProps) {
  const kinds = useServer((state) => state.kinds);
  const error = useServer((state) => state.kindsError);
  const loadKinds = useServer((state) => state.loadKinds);
  const [query, setQuery] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(() => findKinds(kinds, query), [kinds, query]);
  // The many rows come after the canvas, which does not wait for them.
  const groups = useDeferredValue(found, noGroups);

  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const items = [...(list.current?.querySelectorAll<HTMLElement>('.kind') ?? [])];
    const at = active(items);
    items[Math.max(0, Math.min(items.length - 1, at + (event.key === 'ArrowDown' ? 1 : -1)))]?.focus();
  };
  const addFirst = (event: KeyboardEvent) => {
    const first = found[0]?.kinds[0];
    if (event.key === 'Enter' && query !== '' && first !== undefined) onAdd(first);
  };

  return (
    <aside className="palette" aria-label="Node kinds" onKeyDown={move}>
      <div className="palette-search">
        <Search size={14} aria-hidden />
        <input
          id="palette-search"
          className="input"
          type="search"
          placeholder="Add a node…"
          aria-label="Search node kinds"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          onKeyDown={addFirst}
        />
        <button
          type="button"
          className="button quiet compact square"
          aria-label="Hide node kinds"
          title="Hide"
          onClick={onHide}
        >
          <PanelLeftClose size={15} aria-hidden />
        </button>
      </div>
      <div className="palette-list" ref={list}>
        {kinds.length === 0 && error === null && <Loading what="node kinds" />}
        {kinds.length === 0 && error !== null && <LoadFailed error={error} onRetry={() => void loadKinds()} />}
        {kinds.length > 0 && found.length === 0 && <p className="hint pad">No node kind matches “{query}”.</p>}
        {groups.map(({ family, kinds: members }) => (
          <section key={family} aria-label={familyOf(`${family}.`).title}>
            <h2>{familyOf(`${family}.`).title}</h2>
            {members.map((kind) => (
              <button
                key={kind.id}
                type="button"
                className="kind"
                draggable
                title={kind.doc}
                onClick={() => onAdd(kind)}
                onDragStart={(event) => {
                  event.dataTransfer.setData(KIND_DRAG_TYPE, kind.id);
                  event.dataTransfer.effectAllowed = 'copy';
                }}
              >
                <KindTile kind={kind.id} size={13} />
                <span className="grow">
                  <span className="kind-title">{kind.title}</span>
                  <span className="kind-doc">{kind.doc}</span>
                </span>
              </button>
            ))}
          </section>
        ))}
      </div>
    </aside>
  );
}
