import { useId } from 'react';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { useProblems } from '../document/problems-store.ts';
import { FindingList } from './finding-list.tsx';

/** Fields of the document itself; shown when nothing is selected. */
export function DocumentInspector() {
  const store = useDocumentStore();
  const document = useDocument((state) => state.document);
  const readOnly = useDocument((state) => state.readOnly);
  const findings = useProblems((state) => state.findings);
  const id = useId();
  const { title, description, skill } = document;
  const set = (change: { title?: string; description?: string; skill?: string }, field: string) => {
    const next = { title, description, skill, ...change };
    const empty = (text: string | undefined) => (text === '' ? undefined : text);
    store.getState().perform(
      {
        type: 'set-meta',
        meta: { title: next.title || title, description: empty(next.description), skill: empty(next.skill) },
      },
      `meta/${field}`,
    );
  };
  const general = findings.filter((finding) => finding.node === undefined);
  return (
    <div className="inspect">
      <h2 className="inspect-kind">Workflow</h2>
      <FindingList findings={general} />
      <div className="field">
        <label className="label" htmlFor={`${id}-t`}>
          Title
        </label>
        <input
          id={`${id}-t`}
          className="input"
          value={title}
          maxLength={200}
          readOnly={readOnly}
          onChange={(event) => set({ title: event.target.value }, 'title')}
          onBlur={() => store.getState().seal()}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor={`${id}-s`}>
          Skill
        </label>
        <input
          id={`${id}-s`}
          className="input code"
          value={skill ?? ''}
          readOnly={readOnly}
          placeholder="the skill it makes tasks for"
          onChange={(event) => set({ skill: event.target.value }, 'skill')}
          onBlur={() => store.getState().seal()}
        />
      </div>
      <div className="field">
        <label className="label" htmlFor={`${id}-d`}>
          Description
        </label>
        <textarea
          id={`${id}-d`}
          className="textarea"
          rows={4}
          value={description ?? ''}
          readOnly={readOnly}
          onChange={(event) => set({ description: event.target.value }, 'description')}
          onBlur={() => store.getState().seal()}
        />
      </div>
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <code>{document.id}</code>
        </dd>
        <dt>Nodes</dt>
        <dd>{document.nodes.length}</dd>
        <dt>Edges</dt>
        <dd>{document.edges.length}</dd>
        <dt>Subgraphs</dt>
        <dd>{Object.keys(document.graphs).length === 0 ? 'none' : Object.keys(document.graphs).join(', ')}</dd>
      </dl>
      {!readOnly && (
        <p className="hint">
          Select a card to edit it. Add nodes from the list at the left: drag one, or press Enter on it.
        </p>
      )}
    </div>
  );
}
