import type { GraphInput } from '@cua-forge/spec/document';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import type { RunRecord, Selection } from '@cua-forge/spec/store-port';
import { FileValue } from '@cua-forge/spec/value';
import { Upload } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { uploadFile } from '../api/files-api.ts';
import { runsApi } from '../api/runs-api.ts';
import { useDocument, useDocumentStore } from '../document/document-store.ts';
import { useProblems } from '../document/problems-store.ts';
import { JsonEditor } from '../inspector/json-editor.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { bytes } from '../ui/format.ts';
import { FailureNotice } from '../ui/states.tsx';
import { usePins } from './pins-store.ts';

interface RunDialogProps {
  selection: Selection;
  /** Run whose values stand in for what is outside the selection. */
  baseRun: string | null;
  onStarted(run: RunRecord): void;
  onClose(): void;
}

/** Inputs, seed and mode of a new run. An unsaved document runs as the draft that it is. */
export function RunDialog({ selection, baseRun, onStarted, onClose }: RunDialogProps) {
  const store = useDocumentStore();
  const inputs = useDocument((state) => state.document.inputs);
  const dirty = useDocument((state) => state.dirty);
  const errors = useProblems((state) => state.findings.filter((finding) => finding.severity === 'error').length);
  const hasPins = usePins((state) => Object.keys(state.pins).length > 0);
  const [values, setValues] = useState<JsonObject>({});
  const [seed, setSeed] = useState('1');
  const [mode, setMode] = useState<'interactive' | 'batch'>('interactive');
  const [withPins, setWithPins] = useState(true);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ForgeError | null>(null);
  const id = useId();
  const missing = Object.entries(inputs).filter(([name, input]) => input.default === undefined && !(name in values));
  const seedNumber = Number(seed);
  const seedValid = seed.trim() !== '' && Number.isSafeInteger(seedNumber);

  const start = async () => {
    if (busy || missing.length > 0 || !seedValid) return;
    setBusy(true);
    setError(null);
    const { document, dirty: unsaved } = store.getState();
    try {
      onStarted(
        await runsApi.startRun({
          ...(unsaved ? { document } : { documentId: document.id }),
          inputs: values,
          seed: seedNumber,
          mode,
          selection,
          baseRun: selection.mode === 'all' ? null : baseRun,
          usePins: hasPins && withPins,
        }),
      );
    } catch (thrown) {
      setError(toForgeError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={titles[selection.mode](selection)}
      onClose={onClose}
      onSubmit={() => void start()}
      footer={
        <>
          <span className="grow hint">
            {missing.length > 0
              ? `Still needed: ${missing.map(([name]) => name).join(', ')}.`
              : dirty
                ? 'Runs the draft with your unsaved changes.'
                : ''}
          </span>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={busy || missing.length > 0 || !seedValid}>
            {busy ? 'Starting…' : 'Run'}
          </button>
        </>
      }
    >
      {error !== null && <FailureNotice failure={error} />}
      {errors > 0 && error === null && (
        <div className="notice warn small">
          The workflow has {errors === 1 ? 'one error' : `${errors} errors`}; the list of problems at the bottom says
          what to correct first.
        </div>
      )}
      {Object.entries(inputs).map(([name, input]) => (
        <InputField
          key={name}
          name={name}
          input={input}
          value={values[name]}
          onChange={(value) =>
            setValues((before) => {
              const { [name]: _, ...rest } = before;
              return value === undefined ? rest : { ...rest, [name]: value };
            })
          }
        />
      ))}
      <div className="pair-fields">
        <div className="field">
          <label className="label" htmlFor={`${id}-seed`}>
            Seed
          </label>
          <input
            id={`${id}-seed`}
            className="input"
            inputMode="numeric"
            value={seed}
            aria-invalid={!seedValid}
            onChange={(event) => setSeed(event.target.value)}
          />
        </div>
        <div className="field">
          <label className="label" htmlFor={`${id}-mode`}>
            When a node fails
          </label>
          <select
            id={`${id}-mode`}
            className="select"
            value={mode}
            onChange={(event) => setMode(event.target.value === 'batch' ? 'batch' : 'interactive')}
          >
            <option value="interactive">wait for me</option>
            <option value="batch">end the run</option>
          </select>
        </div>
      </div>
      {hasPins && (
        <label className="row">
          <input type="checkbox" checked={withPins} onChange={(event) => setWithPins(event.target.checked)} />
          Use pinned outputs instead of running their nodes
        </label>
      )}
    </Dialog>
  );
}

const titles: Record<Selection['mode'], (selection: Selection) => string> = {
  all: () => 'Run the workflow',
  only: (selection) => `Run only ${nodeOf(selection)}`,
  to: (selection) => `Run up to ${nodeOf(selection)}`,
  from: (selection) => `Run from ${nodeOf(selection)} on`,
};
const nodeOf = (selection: Selection): string => (selection.mode === 'all' ? '' : selection.node);

interface InputFieldProps {
  name: string;
  input: GraphInput;
  value: Json | undefined;
  onChange(value: Json | undefined): void;
}

function InputField({ name, input, value, onChange }: InputFieldProps) {
  const id = useId();
  const fallback =
    input.default === undefined
      ? undefined
      : typeof input.default === 'string'
        ? input.default
        : JSON.stringify(input.default);
  const placeholder = fallback === undefined ? undefined : `default: ${fallback}`;
  const label = (
    <label className="label" htmlFor={id}>
      {input.title ?? name}
      {input.default === undefined && <span className="required">*</span>}
      <span className="type">{input.type}</span>
    </label>
  );
  const hint = input.doc !== undefined && <span className="hint">{input.doc}</span>;
  switch (input.type) {
    case 'file':
      return <FileField id={id} label={label} hint={hint} fallback={fallback} value={value} onChange={onChange} />;
    case 'text':
      return (
        <div className="field">
          {label}
          <textarea
            id={id}
            className="textarea"
            rows={2}
            placeholder={placeholder}
            value={typeof value === 'string' ? value : ''}
            onChange={(event) =>
              onChange(event.target.value === '' && fallback !== undefined ? undefined : event.target.value)
            }
          />
          {hint}
        </div>
      );
    case 'number':
      return (
        <div className="field">
          {label}
          <input
            id={id}
            className="input"
            type="number"
            step="any"
            placeholder={placeholder}
            onChange={(event) =>
              onChange(Number.isNaN(event.target.valueAsNumber) ? undefined : event.target.valueAsNumber)
            }
          />
          {hint}
        </div>
      );
    case 'boolean':
      return (
        <div className="field">
          <div className="row">
            <input
              id={id}
              type="checkbox"
              checked={value === undefined ? input.default === true : value === true}
              onChange={(event) => onChange(event.target.checked)}
            />
            {label}
          </div>
          {hint}
        </div>
      );
    default:
      return (
        <div className="field">
          <JsonEditor
            label={`${input.title ?? name} (${input.type})${input.default === undefined ? ' *' : ''}`}
            value={value ?? input.default}
            onChange={onChange}
          />
          {hint}
        </div>
      );
  }
}

interface FileFieldProps {
  id: string;
  label: ReactNode;
  hint: ReactNode;
  fallback: string | undefined;
  value: Json | undefined;
  onChange(value: Json | undefined): void;
}

function FileField({ id, label, hint, fallback, value, onChange }: FileFieldProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ForgeError | null>(null);
  const file = FileValue.safeParse(value);
  const upload = async (chosen: File | undefined) => {
    if (chosen === undefined) return;
    setBusy(true);
    setError(null);
    try {
      onChange(await uploadFile(chosen));
    } catch (thrown) {
      setError(toForgeError(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="field">
      {label}
      <div className="row file-line">
        <Upload size={15} aria-hidden />
        <span className="grow truncate">
          {busy
            ? 'Uploading…'
            : file.success
              ? `${file.data.name} · ${bytes(file.data.size)}`
              : fallback === undefined
                ? 'No file chosen'
                : `default: ${fallback}`}
        </span>
        <label className="button compact" htmlFor={id}>
          Choose a file
        </label>
        <input
          id={id}
          className="visually-hidden"
          type="file"
          onChange={(event) => void upload(event.target.files?.[0])}
        />
      </div>
      {error !== null && <FailureNotice failure={error} />}
      {hint}
    </div>
  );
}
