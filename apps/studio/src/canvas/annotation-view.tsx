import { type NodeProps, useReactFlow } from '@xyflow/react';
import { memo, type PointerEvent, useRef, useState } from 'react';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import type { AnnotationCard } from './annotations.ts';
import { useCrumb, useView } from './view-store.ts';

const LEAST = { width: 80, height: 48 };
/** Field of the inspector with the words of the annotation. */
export const ANNOTATION_TEXT = 'annotation-text';

/** Brings the words of the selected note or frame under the cursor. */
export function writeAnnotation(): void {
  useView.getState().setTab('inspect');
  requestAnimationFrame(() => document.getElementById(ANNOTATION_TEXT)?.focus());
}

/** A note, or a frame with its title; its lower right corner sets its size. */
export const AnnotationView = memo(function AnnotationView({ data, selected }: NodeProps<AnnotationCard>) {
  const { annotation, id } = data;
  const readOnly = useDocument((state) => state.readOnly);
  const { size, ...corner } = useResize(id, annotation);
  const { type, text, tone } = annotation;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keyboard way is the inspector of the selected annotation
    <div
      className={`annotation ${type} note-${tone ?? (type === 'note' ? 'amber' : 'plain')}`}
      style={size}
      onDoubleClick={() => !readOnly && writeAnnotation()}
    >
      <div className="annotation-text">{text === '' ? <span className="muted">Empty {type}</span> : text}</div>
      {selected && !readOnly && <span className="annotation-corner nodrag" aria-hidden {...corner} />}
    </div>
  );
});

function useResize(id: string, annotation: AnnotationCard['data']['annotation']) {
  const store = useDocumentStore();
  const flow = useReactFlow();
  const { graph } = useCrumb();
  const [size, setSize] = useState<{ width: number; height: number }>();
  const start = useRef<{ x: number; y: number } | null>(null);
  const at = (event: PointerEvent) => {
    const from = start.current ?? { x: event.clientX, y: event.clientY };
    const zoom = flow.getZoom();
    return {
      width: Math.max(LEAST.width, Math.round(annotation.width + (event.clientX - from.x) / zoom)),
      height: Math.max(LEAST.height, Math.round(annotation.height + (event.clientY - from.y) / zoom)),
    };
  };
  return {
    size,
    onPointerDown: (event: PointerEvent) => {
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      start.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent) => {
      if (start.current !== null) setSize(at(event));
    },
    onPointerUp: (event: PointerEvent) => {
      if (start.current === null) return;
      const next = at(event);
      start.current = null;
      setSize(undefined);
      if (next.width !== annotation.width || next.height !== annotation.height)
        store.getState().perform({ type: 'set-annotation', graph, id, annotation: { ...annotation, ...next } });
    },
    onPointerCancel: () => {
      start.current = null;
      setSize(undefined);
    },
  };
}
