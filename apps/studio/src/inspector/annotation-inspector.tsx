import { type Annotation, annotationTones } from '@cua-forge/spec/document';
import { useId } from 'react';
import { ANNOTATION_TEXT } from '../canvas/annotation-view.tsx';
import { useDocument, useDocumentStore } from '../document/document-store.ts';

const toneNames: Record<(typeof annotationTones)[number], string> = {
  plain: 'Plain',
  blue: 'Blue',
  green: 'Green',
  amber: 'Amber',
  red: 'Red',
};

/** Words, colour and size of a note or frame. */
export function AnnotationInspector({ graph, id, annotation }: { graph: string; id: string; annotation: Annotation }) {
  const store = useDocumentStore();
  const readOnly = useDocument((state) => state.readOnly);
  const prefix = useId();
  const frame = annotation.type === 'frame';
  const set = (change: Partial<Annotation>, field: string) =>
    store
      .getState()
      .perform(
        { type: 'set-annotation', graph, id, annotation: { ...annotation, ...change } },
        `${graph}/annotation/${id}/${field}`,
      );
  const seal = () => store.getState().seal();
  const side = (name: 'width' | 'height', label: string) => (
    <div className="field">
      <label className="label" htmlFor={prefix + name}>
        {label}
      </label>
      <input
        id={prefix + name}
        className="input"
        type="number"
        min={80}
        step={20}
        readOnly={readOnly}
        value={annotation[name]}
        onBlur={seal}
        onChange={(event) => {
          const size = Math.round(Number(event.target.value));
          if (size >= 1 && size <= 20_000) set({ [name]: size }, name);
        }}
      />
    </div>
  );
  return (
    <div className="inspect">
      <h2 className="inspect-kind">{frame ? 'Frame' : 'Note'}</h2>
      <p className="hint">
        {frame ? 'Cards whose middle lies in a frame move with it.' : 'For people; it changes nothing of a run.'}
      </p>
      <div className="field">
        <label className="label" htmlFor={ANNOTATION_TEXT}>
          {frame ? 'Title' : 'Text'}
        </label>
        <textarea
          id={ANNOTATION_TEXT}
          className="textarea"
          rows={frame ? 2 : 8}
          maxLength={10_000}
          readOnly={readOnly}
          value={annotation.text}
          onBlur={seal}
          onChange={(event) => set({ text: event.target.value }, 'text')}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor={`${prefix}tone`}>
          Colour
        </label>
        <select
          id={`${prefix}tone`}
          className="select"
          disabled={readOnly}
          value={annotation.tone ?? (frame ? 'plain' : 'amber')}
          onChange={(event) => {
            const tone = annotationTones.find((each) => each === event.target.value);
            if (tone !== undefined) set({ tone }, 'tone');
          }}
        >
          {annotationTones.map((tone) => (
            <option key={tone} value={tone}>
              {toneNames[tone]}
            </option>
          ))}
        </select>
      </div>
      <div className="pair-fields">
        {side('width', 'Width')}
        {side('height', 'Height')}
      </div>
    </div>
  );
}
