import { type Finding, type GraphNode, NodeId } from '@cua-forge/spec/document';
import { bodyName, PortResolver } from '@cua-forge/spec/ports';
import { CornerDownRight } from 'lucide-react';
import { useId, useMemo, useState } from 'react';
import { useServer } from '../api/server-store.ts';
import { annotationOf } from '../canvas/annotations.ts';
import { KindTile } from '../canvas/family.tsx';
import { type CardModel, cardOf } from '../canvas/graph-model.ts';
import { useCrumb, useView } from '../canvas/view-store.ts';
import { annotationIdOf } from '../document/annotation-id.ts';
import { graphOf } from '../document/command.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { INPUTS_NODE, OUTPUTS_NODE } from '../document/edge-end.ts';
import { changeNode } from '../document/edits.ts';
import { problemKey, useProblems } from '../document/problems-store.ts';
import { toastError } from '../ui/toast.tsx';
import { AnnotationInspector } from './annotation-inspector.tsx';
import { BorderInspector } from './border-inspector.tsx';
import { DocumentInspector } from './document-inspector.tsx';
import { FindingList } from './finding-list.tsx';
import { ParamsEditor } from './params-editor.tsx';
import { PortsSection } from './ports-section.tsx';

const noFindings: readonly Finding[] = [];

/** What is selected, ready to be edited: one node, the border of the graph, or the document itself. */
export function Inspector() {
  const { graph } = useCrumb();
  const document = useDocument((state) => state.document);
  const selection = useDocument((state) => state.selection);
  const kinds = useServer((state) => state.kinds);
  const [id] = selection.size === 1 ? selection : [];
  const nodes = graphOf(document, graph).nodes;
  const node = id === undefined ? undefined : nodes.find((each) => each.id === id);
  const card = useMemo(
    () => node && cardOf(node, document, kinds, new PortResolver(document, kinds)),
    [node, document, kinds],
  );
  if (card !== undefined) return <NodeInspector key={`${graph}/${card.id}`} card={card} graph={graph} />;
  if (id === INPUTS_NODE || id === OUTPUTS_NODE)
    return <BorderInspector side={id === INPUTS_NODE ? 'inputs' : 'outputs'} graph={graph} />;
  const annotationId = id === undefined ? undefined : annotationIdOf(id);
  const annotation = annotationId === undefined ? undefined : annotationOf(document, graph, annotationId);
  if (annotationId !== undefined && annotation !== undefined)
    return <AnnotationInspector key={annotationId} graph={graph} id={annotationId} annotation={annotation} />;
  if (selection.size > 1)
    return <p className="hint pad">{selection.size} cards are selected. Select one to edit it.</p>;
  return <DocumentInspector />;
}

function NodeInspector({ card, graph }: { card: CardModel; graph: string }) {
  const { node, kind } = card;
  const store = useDocumentStore();
  const readOnly = useDocument((state) => state.readOnly);
  const findings = useProblems((state) => state.byNode.get(problemKey(graph, node.id))) ?? noFindings;
  const errors = useMemo(
    () =>
      new Map(findings.flatMap((finding) => (finding.param === undefined ? [] : [[finding.param, finding.message]]))),
    [findings],
  );
  const change = (...args: Parameters<typeof changeNode> extends [infer _N, infer _G, ...infer R] ? R : never) =>
    changeNode(node, graph, ...args);
  const perform = (command: ReturnType<typeof change>, field: string) =>
    store.getState().perform(command, `${graph}/${node.id}/${field}`);
  const seal = () => store.getState().seal();
  const body = kind && bodyName(node, kind);
  const id = useId();
  return (
    <div className="inspect">
      <div className="row inspect-head">
        <KindTile kind={node.kind} size={17} />
        <div className="grow">
          <h2 className="inspect-kind">{kind?.title ?? node.kind}</h2>
          <div className="muted small">
            <code>
              {node.kind} v{node.version}
            </code>
          </div>
        </div>
      </div>
      {kind !== undefined && <p className="hint">{kind.doc}</p>}
      <FindingList findings={findings} />
      <div className="field">
        <label className="label" htmlFor={`${id}-title`}>
          Title
        </label>
        <input
          id={`${id}-title`}
          className="input"
          maxLength={200}
          readOnly={readOnly}
          value={node.title ?? ''}
          placeholder={kind?.title}
          onBlur={seal}
          onChange={(event) =>
            perform(event.target.value === '' ? change({}, ['title']) : change({ title: event.target.value }), 'title')
          }
        />
      </div>
      <IdField node={node} graph={graph} readOnly={readOnly} />
      {body !== undefined && <OpenBody id={node.id} body={body} title={node.title ?? node.id} />}
      <ParamsEditor
        schema={kind?.params}
        value={node.params}
        errors={errors}
        readOnly={readOnly}
        node={node}
        onBlur={seal}
        onChange={(params, path) => perform(change({ params }), `params/${path}`)}
      />
      <PortsSection card={card} graph={graph} />
      {kind?.gate === true && <RepairFields node={node} graph={graph} readOnly={readOnly} />}
      <PolicyFields card={card} graph={graph} readOnly={readOnly} />
      <div className="field">
        <label className="label" htmlFor={`${id}-notes`}>
          Notes
        </label>
        <textarea
          id={`${id}-notes`}
          className="textarea"
          readOnly={readOnly}
          value={node.notes ?? ''}
          placeholder="For people who read this workflow"
          onBlur={seal}
          onChange={(event) =>
            perform(event.target.value === '' ? change({}, ['notes']) : change({ notes: event.target.value }), 'notes')
          }
        />
      </div>
    </div>
  );
}

/** The id is part of every edge and of the paths in a run, so it changes only when the field is left. */
function IdField({ node, graph, readOnly }: { node: GraphNode; graph: string; readOnly: boolean }) {
  const store = useDocumentStore();
  const [text, setText] = useState(node.id);
  const id = useId();
  const valid = NodeId.safeParse(text).success;
  const commit = () => {
    if (text === node.id) return;
    try {
      if (!valid) throw new Error('An id has lower-case letters, digits and hyphens, and starts with a letter.');
      store.getState().perform({ type: 'rename-node', graph, from: node.id, to: text });
      store.getState().select([text]);
    } catch (error) {
      toastError(error);
      setText(node.id);
    }
  };
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Id
      </label>
      <input
        id={id}
        className="input code"
        value={text}
        readOnly={readOnly}
        spellCheck={false}
        aria-invalid={!valid}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === 'Enter') commit();
        }}
      />
    </div>
  );
}

function OpenBody({ id, body, title }: { id: string; body: string; title: string }) {
  const exists = useDocument((state) => state.document.graphs[body] !== undefined);
  const readOnly = useDocument((state) => state.readOnly);
  const store = useDocumentStore();
  const open = () => {
    if (!exists) {
      const inputs = bodyInputs(store.getState().document.nodes.find((node) => node.id === id)?.kind);
      store.getState().perform({ type: 'set-graph', name: body, graph: { inputs, nodes: [], edges: [], outputs: {} } });
    }
    useView.getState().enter({ graph: body, prefix: null, label: title });
    store.getState().select([]);
  };
  if (!exists && (readOnly || !NodeId.safeParse(body).success)) return null;
  return (
    <button type="button" className="button" onClick={open}>
      <CornerDownRight size={14} aria-hidden />
      {exists ? `Open graph ${body}` : `Make graph ${body}`}
    </button>
  );
}

const bodyInputs = (kind: string | undefined) =>
  kind === 'flow.map'
    ? { item: { type: 'json' as const } }
    : kind === 'flow.repeat'
      ? { value: { type: 'json' as const } }
      : {};

function RepairFields({ node, graph, readOnly }: { node: GraphNode; graph: string; readOnly: boolean }) {
  const store = useDocumentStore();
  const document = useDocument((state) => state.document);
  const id = useId();
  const others = graphOf(document, graph).nodes.filter((each) => each.id !== node.id);
  const set = (target: string, rounds: number) =>
    store
      .getState()
      .perform(
        target === ''
          ? changeNode(node, graph, {}, ['repair'])
          : changeNode(node, graph, { repair: { target, rounds } }),
        `${graph}/${node.id}/repair`,
      );
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Repair
      </label>
      <div className="row">
        <select
          id={id}
          className="select"
          disabled={readOnly}
          value={node.repair?.target ?? ''}
          onChange={(event) => set(event.target.value, node.repair?.rounds ?? 2)}
        >
          <option value="">No repair: what fails here is rejected</option>
          {others.map((each) => (
            <option key={each.id} value={each.id}>
              Run again: {each.title ?? each.id}
            </option>
          ))}
        </select>
        {node.repair !== undefined && (
          <input
            className="input rounds"
            type="number"
            min={1}
            max={10}
            aria-label="Rounds"
            title="Rounds"
            disabled={readOnly}
            value={node.repair.rounds}
            onChange={(event) =>
              set(node.repair?.target ?? '', Math.min(10, Math.max(1, Number(event.target.value) || 1)))
            }
          />
        )}
      </div>
      <span className="hint">
        The node that made the faulty thing runs again with the gate's feedback, up to that many rounds.
      </span>
    </div>
  );
}

function PolicyFields({ card, graph, readOnly }: { card: CardModel; graph: string; readOnly: boolean }) {
  const { node, kind } = card;
  const store = useDocumentStore();
  const id = useId();
  const set = (name: 'timeoutMs' | 'attempts', text: string) => {
    const { [name]: _, ...rest } = node.policy ?? {};
    const number = Math.round(Number(text));
    const policy = text === '' || !(number > 0) ? rest : { ...rest, [name]: number };
    const command =
      Object.keys(policy).length === 0 ? changeNode(node, graph, {}, ['policy']) : changeNode(node, graph, { policy });
    store.getState().perform(command, `${graph}/${node.id}/policy/${name}`);
  };
  if (kind?.flow !== undefined) return null;
  return (
    <details className="details" open={node.policy !== undefined}>
      <summary>Time limit and attempts</summary>
      <div className="pair-fields">
        <div className="field">
          <label className="label" htmlFor={`${id}-t`}>
            Time limit (s)
          </label>
          <input
            id={`${id}-t`}
            className="input"
            type="number"
            min={1}
            disabled={readOnly}
            placeholder={kind === undefined ? '' : String(kind.policy.timeoutMs / 1000)}
            value={node.policy?.timeoutMs === undefined ? '' : node.policy.timeoutMs / 1000}
            onChange={(event) =>
              set('timeoutMs', event.target.value === '' ? '' : String(Number(event.target.value) * 1000))
            }
          />
        </div>
        <div className="field">
          <label className="label" htmlFor={`${id}-a`}>
            Attempts
          </label>
          <input
            id={`${id}-a`}
            className="input"
            type="number"
            min={1}
            max={100}
            disabled={readOnly}
            placeholder={kind === undefined ? '' : String(kind.policy.attempts)}
            value={node.policy?.attempts ?? ''}
            onChange={(event) => set('attempts', event.target.value)}
          />
        </div>
      </div>
    </details>
  );
}
