import { type KeyboardEvent, useState } from 'react';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { boxBeside, type Direction } from './far.ts';
import { titleOf } from './far-painter.ts';
import type { GraphModel } from './graph-model.ts';
import { boxesOf } from './moving.ts';

const directions: ReadonlySet<string> = new Set<Direction>(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']);
const isDirection = (key: string): key is Direction => directions.has(key);

/** The keyboard's way through cards that are only painted: arrows go from card to card, Enter goes near. */
export function FarKeys({ model, onNear }: { model: GraphModel; onNear(id: string): void }) {
  const store = useDocumentStore();
  const selected = useDocument(({ selection }) => (selection.size === 1 ? [...selection][0] : undefined));
  const [focused, setFocused] = useState(false);
  const card = model.nodes.find(({ id }) => id === selected);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isDirection(event.key)) {
      const boxes = boxesOf(model).slice(0, model.nodes.length);
      const next = boxBeside(
        boxes,
        boxes.find(({ id }) => id === selected),
        event.key,
      );
      if (next !== undefined) store.getState().select([next.id]);
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && selected !== undefined) onNear(selected);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a picture of many cards, walked by arrows
    <div
      className="far-keys"
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows work on what has the focus
      tabIndex={0}
      aria-label={`${model.nodes.length} cards seen from afar. Arrow keys go from card to card, Enter goes near.`}
      onKeyDown={onKeyDown}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className="visually-hidden" aria-live="polite">
        {focused && card !== undefined ? titleOf(card) : ''}
      </span>
    </div>
  );
}
