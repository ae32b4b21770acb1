import type { Annotation, GraphDocument } from '@cua-forge/spec/document';
import type { Node } from '@xyflow/react';
import { annotationCardId } from '../document/annotation-id.ts';

/** A note or frame as the canvas shows it. */
export type AnnotationCard = Node<{ annotation: Annotation; id: string }, 'annotation'>;

export const annotationOf = (document: GraphDocument, graph: string, id: string): Annotation | undefined =>
  document.annotations?.[graph]?.[id];

const kept = new WeakMap<Annotation, AnnotationCard>();

/** Frames first and behind everything, notes last; the same card for as long as the annotation is the same. */
export function annotationCards(document: GraphDocument, graph: string): AnnotationCard[] {
  const cards = Object.entries(document.annotations?.[graph] ?? {}).map(([id, annotation]) => {
    const known = kept.get(annotation);
    if (known !== undefined && known.data.id === id) return known;
    const { x, y, width, height, type, text } = annotation;
    const card: AnnotationCard = {
      id: annotationCardId(id),
      type: 'annotation',
      position: { x, y },
      width,
      height,
      measured: { width, height },
      handles: [],
      zIndex: type === 'frame' ? -1 : 1,
      data: { annotation, id },
      ariaLabel: `${type === 'frame' ? 'Frame' : 'Note'}: ${text === '' ? 'empty' : text.slice(0, 80)}`,
    };
    kept.set(annotation, card);
    return card;
  });
  return cards.sort((a, b) => (a.zIndex ?? 0) - (b.zIndex ?? 0));
}
