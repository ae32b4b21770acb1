import { isPaged } from '@cua-forge/spec/page-pictures';
import type { PackageRecord } from '@cua-forge/spec/store-port';
import type { Proof, RequiredFile, SetupOperation, TaskManifest, TaskPackage } from '@cua-forge/spec/task';
import type { FileValue } from '@cua-forge/spec/value';
import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useLoad } from '../api/use-load.ts';
import { FailureNotice } from '../ui/states.tsx';
import { FilePages } from '../values/file-pages.tsx';
import { isShown, OpenedFile } from '../values/opened-file.tsx';
import { FileView, isTextFile, StoredText } from '../values/value-view.tsx';
import { FileContent } from './file-content.tsx';
import { fileAt, readContents, readInstruction, readRubric, readSetup } from './package-content.ts';

interface SectionProps {
  record: PackageRecord;
  content: TaskPackage;
}

/** Shows what was loaded, or why it could not be. */
function useShown<T>(load: () => Promise<T>, hash: string, show: (value: T) => ReactNode): ReactNode {
  const [state] = useLoad(load, [hash]);
  if (state.status === 'loading') return <p className="hint">Loading…</p>;
  if (state.status === 'failed') return <FailureNotice failure={state.error} />;
  return show(state.value);
}

export function Instruction({ record, content }: SectionProps) {
  const shown = useShown(
    () => readInstruction(content),
    record.value.hash,
    (text) => <p className="instruction">{text.trim()}</p>,
  );
  return (
    <section className="panel" aria-label="Instruction">
      <h2>Instruction</h2>
      {shown}
    </section>
  );
}

/** The files of the task, each as what it holds. */
export function TaskFiles({ record, content }: SectionProps) {
  const { files } = content.manifest;
  const [path, setPath] = useState(files[0]?.path ?? '');
  const chosen = files.find((file) => file.path === path) ?? files[0];
  const [contents] = useLoad(() => readContents(record), [record.id]);
  if (chosen === undefined) return <p className="hint pad">The task comes without files.</p>;
  const stored = fileAt(content, chosen.path);
  const made = contents.status === 'loaded' ? contents.value.get(chosen.sandboxPath) : undefined;
  const name = chosen.path.slice(chosen.path.lastIndexOf('/') + 1);
  return (
    <div className="stack">
      {files.length > 1 && (
        <fieldset className="segments file-choice" aria-label="File">
          {files.map((file) => (
            <button
              key={file.path}
              type="button"
              aria-pressed={file.path === chosen.path}
              onClick={() => setPath(file.path)}
            >
              {file.path.slice(file.path.lastIndexOf('/') + 1)}
            </button>
          ))}
        </fieldset>
      )}
      <div className="muted small">
        <code>{chosen.sandboxPath}</code> · made by {chosen.preparer}
      </div>
      {stored !== null && <FileView preview={false} file={{ ...stored, name }} />}
      {stored !== null && made !== undefined && isPaged(name) ? (
        <PagesOrContents key={chosen.path} file={{ ...stored, name }} made={made} />
      ) : made !== undefined ? (
        <FileContent key={chosen.path} file={made} />
      ) : contents.status === 'loading' ? (
        <p className="hint">Loading what it was made from…</p>
      ) : stored !== null && isShown({ ...stored, name }) ? (
        <OpenedFile key={chosen.path} file={{ ...stored, name }} />
      ) : stored !== null && isTextFile({ ...stored, name }) ? (
        <StoredText key={chosen.path} file={stored} />
      ) : (
        <p className="hint">It cannot be shown here; download it to see what it holds.</p>
      )}
    </div>
  );
}

/** Sheets open as grids, documents as pages; the other is a click away. */
function PagesOrContents({ file, made }: { file: FileValue; made: RequiredFile }) {
  const [pages, setPages] = useState(made.type !== 'xlsx');
  return (
    <div className="stack">
      <fieldset className="segments" aria-label="Show as">
        <button type="button" aria-pressed={pages} onClick={() => setPages(true)}>
          Pages
        </button>
        <button type="button" aria-pressed={!pages} onClick={() => setPages(false)}>
          {made.type === 'xlsx' ? 'Cells' : 'As specified'}
        </button>
      </fieldset>
      {pages ? <FilePages file={file} /> : <FileContent file={made} />}
    </div>
  );
}

function operationText(operation: SetupOperation): string {
  switch (operation.op) {
    case 'place-file':
      return `${operation.file.name} → ${operation.path} (${operation.mode})`;
    case 'open':
      return [operation.application, operation.path].filter(Boolean).join(' ');
    case 'run':
      return `${operation.command.join(' ')} (${operation.why})`;
    default: {
      const { op: _op, ...rest } = operation;
      return Object.entries(rest)
        .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
        .join(', ');
    }
  }
}

export function Setup({ record, content }: SectionProps) {
  const script = fileAt(content, 'setup/setup.sh');
  const operations = useShown(
    () => readSetup(content),
    record.value.hash,
    (setup) => (
      <ol className="operations">
        {setup?.operations.map((operation, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity but their order
          <li key={index}>
            <span className="badge">{operation.op}</span> <code>{operationText(operation)}</code>
          </li>
        ))}
      </ol>
    ),
  );
  return (
    <div className="stack">
      {operations}
      {script !== null && (
        <details className="details">
          <summary>setup.sh</summary>
          <StoredText file={script} />
        </details>
      )}
    </div>
  );
}

export function RubricTable({ record, content }: SectionProps) {
  return useShown(
    () => readRubric(content),
    record.value.hash,
    (rubric) =>
      rubric === null ? (
        <p className="hint">The package has no rubric.</p>
      ) : (
        <table className="list">
          <thead>
            <tr>
              <th>Criterion</th>
              <th className="number">Weight</th>
              <th>Judge</th>
              <th>Evidence</th>
            </tr>
          </thead>
          <tbody>
            {rubric.criteria.map((criterion) => (
              <tr key={criterion.id}>
                <td>
                  {criterion.text} {criterion.must && <span className="badge run">must</span>}
                  <div>
                    <code className="muted">{criterion.id}</code>
                  </div>
                </td>
                <td className="number">{criterion.weight}</td>
                <td className="muted">{criterion.judge}</td>
                <td className="muted small">{criterion.evidence}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ),
  );
}

/** What each gate looked at, and what it found. */
export function Evidence({ manifest }: { manifest: TaskManifest }) {
  if (manifest.gates.length === 0) return <p className="hint">No gate left evidence.</p>;
  return (
    <div className="stack">
      {manifest.gates.map(({ gate, evidence }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a gate may have looked more than once
        <section key={index} className="stack tight">
          <h3>
            <code>{gate}</code>
          </h3>
          <ul className="evidence">
            {evidence.map(({ check, ok, detail }) => (
              <li key={`${check}${detail}`}>
                {ok ? (
                  <CircleCheck size={15} className="ok-text" aria-label="holds" />
                ) : (
                  <CircleX size={15} className="bad-text" aria-label="does not hold" />
                )}
                <span>
                  {check} <span className="muted">{detail}</span>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

export function Proofs({ manifest }: { manifest: TaskManifest }) {
  return (
    <section className="panel" aria-label="What was proven">
      <h2>What was proven</h2>
      <ul className="evidence">
        {manifest.proofs.map((proof) => (
          <li key={`${proof.claim}${proof.by}`}>
            <ProofIcon status={proof.status} />
            <details>
              <summary>
                {proof.claim}{' '}
                <span className="muted">{proof.status === 'not-proven' ? 'not proven' : `by ${proof.by}`}</span>
              </summary>
              <span className="muted">{proof.detail}</span>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProofIcon({ status }: { status: Proof['status'] }) {
  if (status === 'proven') return <CircleCheck size={15} className="ok-text" aria-label="proven" />;
  if (status === 'failed') return <CircleX size={15} className="bad-text" aria-label="failed" />;
  return <CircleDashed size={15} className="muted" aria-label="not proven" />;
}

export function Traits({ manifest }: { manifest: TaskManifest }) {
  return (
    <section className="panel" aria-label="Traits">
      <h2>Traits</h2>
      <dl className="facts">
        {Object.entries(manifest.traits).map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
