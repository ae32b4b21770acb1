import type { Finding } from '@cua-forge/spec/document';
import { FilePlus2, Upload, Workflow } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { documentsApi, documentsWithPublished } from '../api/documents-api.ts';
import { useLoad } from '../api/use-load.ts';
import { emptyDocument, idFromTitle, readDocumentFile } from '../document/document-file.ts';
import { freshId } from '../document/edits.ts';
import { navigate } from '../route.ts';
import { Dialog } from '../ui/dialog.tsx';
import { dateTime } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { May } from '../ui/may.tsx';
import { Empty, FindingNotices, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

export function DocumentsPage() {
  const [load, again] = useLoad(() => documentsWithPublished(), []);
  const [creating, setCreating] = useState(false);
  const [refused, setRefused] = useState<{ file: string; findings: readonly Finding[] } | null>(null);
  const [query, setQuery] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const records = load.status === 'loaded' ? load.value : [];
  const shown = records.filter((record) => `${record.title} ${record.id}`.toLowerCase().includes(query.toLowerCase()));

  const importFile = async (file: File | undefined) => {
    if (file === undefined) return;
    try {
      const { document, findings } = await readDocumentFile(await file.text(), file.name);
      if (document === null) {
        setRefused({ file: file.name, findings });
        return;
      }
      const id = freshId(document.id, new Set(records.map((record) => record.id)));
      await documentsApi.saveDocument(id, { document: { ...document, id }, expectedRevision: null });
      if (id !== document.id) toastOk(`There is a workflow ${document.id} already; this one is ${id}.`);
      navigate({ page: 'document', id });
    } catch (error) {
      toastError(error);
    } finally {
      if (picker.current !== null) picker.current.value = '';
    }
  };
  return (
    <div className="page">
      <div className="page-head">
        <h1>Workflows</h1>
        <span className="grow" />
        <input
          className="input filter"
          type="search"
          placeholder="Filter…"
          aria-label="Filter workflows"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <May needs="author">
          <button type="button" className="button" onClick={() => picker.current?.click()}>
            <Upload size={14} aria-hidden /> Import
          </button>
        </May>
        <input
          ref={picker}
          className="visually-hidden"
          type="file"
          tabIndex={-1}
          accept=".yaml,.yml,.json"
          aria-label="Workflow file"
          onChange={(event) => void importFile(event.target.files?.[0])}
        />
        <May needs="author">
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            <FilePlus2 size={14} aria-hidden /> New workflow
          </button>
        </May>
      </div>
      {load.status === 'loading' && <Loading what="workflows" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && records.length === 0 && (
        <Empty icon={<Workflow size={28} aria-hidden />} title="No workflows yet">
          <p>A workflow is a graph of steps that makes task packages.</p>
          <button type="button" className="button primary" onClick={() => setCreating(true)}>
            New workflow
          </button>
        </Empty>
      )}
      {records.length > 0 && (
        <table className="list">
          <thead>
            <tr>
              <th>Title</th>
              <th>Id</th>
              <th>Revision</th>
              <th>Published</th>
              <th>Changed</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((record) => (
              <tr key={record.id}>
                <td>
                  <Link to={{ page: 'document', id: record.id }} className="list-main">
                    {record.title}
                  </Link>
                </td>
                <td>
                  <code className="muted">{record.id}</code>
                </td>
                <td className="muted">{record.revision}</td>
                <td className="muted">{record.published ?? '–'}</td>
                <td className="muted">{dateTime(record.updatedAt)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {records.length > 0 && shown.length === 0 && <p className="hint pad">No workflow matches “{query}”.</p>}
      {creating && <NewDialog taken={new Set(records.map((record) => record.id))} onClose={() => setCreating(false)} />}
      {refused !== null && (
        <Dialog wide title={`${refused.file} cannot be read`} onClose={() => setRefused(null)}>
          <FindingNotices findings={refused.findings} />
        </Dialog>
      )}
    </div>
  );
}

function NewDialog({ taken, onClose }: { taken: ReadonlySet<string>; onClose(): void }) {
  const [title, setTitle] = useState('');
  const [busy, setBusy] = useState(false);
  const id = useId();
  const create = async () => {
    if (title.trim() === '' || busy) return;
    setBusy(true);
    const name = freshId(idFromTitle(title), taken);
    try {
      await documentsApi.saveDocument(name, { document: emptyDocument(name, title.trim()), expectedRevision: null });
      navigate({ page: 'document', id: name });
    } catch (error) {
      toastError(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="New workflow"
      onClose={onClose}
      onSubmit={() => void create()}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={title.trim() === '' || busy}>
            Create
          </button>
        </>
      }
    >
      <div className="field">
        <label className="label" htmlFor={id}>
          Title
        </label>
        <input
          id={id}
          className="input"
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        {title.trim() !== '' && (
          <span className="hint">
            Its id will be <code>{freshId(idFromTitle(title), taken)}</code>.
          </span>
        )}
      </div>
    </Dialog>
  );
}
