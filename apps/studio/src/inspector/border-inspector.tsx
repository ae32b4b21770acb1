import { type GraphInput, PortName } from '@cua-forge/spec/document';
import { PortType, portTypes } from '@cua-forge/spec/port-type';
import { Link2, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { ConnectDialog } from '../canvas/connect-dialog.tsx';
import { graphOf } from '../document/command.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { INPUTS_NODE } from '../document/edge-end.ts';
import { removeInput, renameInput } from '../document/edits.ts';
import { toastError } from '../ui/toast.tsx';
import { JsonEditor } from './json-editor.tsx';

/** Inputs or outputs of the graph that is open. */
export function BorderInspector({ side, graph }: { side: 'inputs' | 'outputs'; graph: string }) {
  return side === 'inputs' ? <InputsInspector graph={graph} /> : <OutputsInspector graph={graph} />;
}

function InputsInspector({ graph: graphName }: { graph: string }) {
  const store = useDocumentStore();
  const readOnly = useDocument((state) => state.readOnly);
  const inputs = useDocument((state) => graphOf(state.document, graphName).inputs);
  const add = () => {
    let number = 1;
    while (`input${number}` in inputs) number += 1;
    store.getState().perform({ type: 'set-input', graph: graphName, name: `input${number}`, input: { type: 'text' } });
  };
  return (
    <div className="inspect">
      <h2 className="inspect-kind">Inputs</h2>
      <p className="hint">What a run is given. An input without a default must be given.</p>
      {Object.entries(inputs).map(([name, input]) => (
        <InputCard key={name} graph={graphName} name={name} input={input} readOnly={readOnly} />
      ))}
      {!readOnly && (
        <button type="button" className="button" onClick={add}>
          <Plus size={14} aria-hidden /> Add an input
        </button>
      )}
    </div>
  );
}

function InputCard({
  graph,
  name,
  input,
  readOnly,
}: {
  graph: string;
  name: string;
  input: GraphInput;
  readOnly: boolean;
}) {
  const store = useDocumentStore();
  const [text, setText] = useState(name);
  const [connecting, setConnecting] = useState(false);
  const set = (next: GraphInput, field: string) =>
    store.getState().perform({ type: 'set-input', graph, name, input: next }, `${graph}/inputs/${name}/${field}`);
  const rename = () => {
    const taken = graphOf(store.getState().document, graph).inputs;
    if (text === name) return;
    if (!PortName.safeParse(text).success || text in taken) {
      toastError(
        new Error(
          text in taken
            ? `There is an input ${text} already.`
            : 'A name has letters, digits, _ and -, and starts with a lower-case letter.',
        ),
      );
      setText(name);
      return;
    }
    store.getState().perform(renameInput(store.getState().document, graph, name, text));
  };
  return (
    <div className="group">
      <div className="row">
        <input
          className="input code"
          aria-label="Name"
          value={text}
          readOnly={readOnly}
          onChange={(event) => setText(event.target.value)}
          onBlur={rename}
        />
        <select
          className="select type-select"
          aria-label={`Type of ${name}`}
          disabled={readOnly}
          value={input.type}
          onChange={(event) => set({ ...input, type: PortType.parse(event.target.value) }, 'type')}
        >
          {portTypes.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
        {!readOnly && (
          <>
            <button
              type="button"
              className="button quiet compact square"
              aria-label={`Connect input ${name}`}
              title="Connect"
              onClick={() => setConnecting(true)}
            >
              <Link2 size={14} aria-hidden />
            </button>
            <button
              type="button"
              className="button quiet compact square"
              aria-label={`Remove input ${name}`}
              title="Remove"
              onClick={() => store.getState().perform(removeInput(store.getState().document, graph, name))}
            >
              <Trash2 size={14} aria-hidden />
            </button>
          </>
        )}
      </div>
      <input
        className="input"
        aria-label={`What ${name} is`}
        placeholder="What it is, for people"
        readOnly={readOnly}
        value={input.doc ?? ''}
        onChange={(event) => {
          const { doc: _, ...rest } = input;
          set(event.target.value === '' ? rest : { ...rest, doc: event.target.value }, 'doc');
        }}
      />
      {input.default === undefined ? (
        !readOnly && (
          <button
            type="button"
            className="button quiet compact add"
            onClick={() =>
              set(
                {
                  ...input,
                  default:
                    input.type === 'number' ? 0 : input.type === 'boolean' ? false : input.type === 'list' ? [] : '',
                },
                'default',
              )
            }
          >
            <Plus size={13} aria-hidden /> Default
          </button>
        )
      ) : (
        <div className="row">
          <div className="grow">
            <JsonEditor
              label="Default"
              rows={1}
              value={input.default}
              readOnly={readOnly}
              onChange={(value) => set({ ...input, default: value }, 'default')}
            />
          </div>
          {!readOnly && (
            <button
              type="button"
              className="button quiet compact square"
              aria-label={`Remove the default of ${name}`}
              onClick={() => {
                const { default: _, ...rest } = input;
                set(rest, 'default');
              }}
            >
              <Trash2 size={13} aria-hidden />
            </button>
          )}
        </div>
      )}
      {connecting && <ConnectDialog node={INPUTS_NODE} port={name} onClose={() => setConnecting(false)} />}
    </div>
  );
}

function OutputsInspector({ graph: graphName }: { graph: string }) {
  const store = useDocumentStore();
  const readOnly = useDocument((state) => state.readOnly);
  const outputs = useDocument((state) => graphOf(state.document, graphName).outputs);
  const rename = (from: string, to: string, end: string) => {
    if (from === to) return;
    if (!PortName.safeParse(to).success || to in outputs) {
      toastError(
        new Error('The name of an output is new, has letters, digits, _ and -, and starts with a lower-case letter.'),
      );
      return;
    }
    store.getState().perform({
      type: 'batch',
      commands: [
        { type: 'set-output', graph: graphName, name: from, end: undefined },
        { type: 'set-output', graph: graphName, name: to, end },
      ],
    });
  };
  return (
    <div className="inspect">
      <h2 className="inspect-kind">Outputs</h2>
      <p className="hint">What a run ends with. Connect a port to “new output” to add one.</p>
      {Object.entries(outputs).map(([name, end]) => (
        <div key={name} className="group">
          <div className="row">
            <input
              className="input code"
              aria-label="Name"
              defaultValue={name}
              readOnly={readOnly}
              onBlur={(event) => rename(name, event.target.value.trim(), end)}
            />
            {!readOnly && (
              <button
                type="button"
                className="button quiet compact square"
                aria-label={`Remove output ${name}`}
                title="Remove"
                onClick={() => store.getState().perform({ type: 'set-output', graph: graphName, name, end: undefined })}
              >
                <Trash2 size={14} aria-hidden />
              </button>
            )}
          </div>
          <code className="muted">← {end}</code>
        </div>
      ))}
    </div>
  );
}
