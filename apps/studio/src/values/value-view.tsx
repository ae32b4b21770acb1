import type { Json } from '@cua-forge/spec/json';
import { FileValue, type ValueRef } from '@cua-forge/spec/value';
import { Download, FileText } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { fileText, fileUrl, readValue } from '../api/files-api.ts';
import { useLoad } from '../api/use-load.ts';
import { bytes } from '../ui/format.ts';
import { FailureNotice } from '../ui/states.tsx';
import { TreeValue } from './json-tree.tsx';
import { isShown, OpenedFile } from './opened-file.tsx';

/** What workbooks and tables are made of is much, and comes with the first of them. */
const GridValue = lazy(() => import('./grid-value.tsx'));

/** Values up to this many bytes open at once; larger ones wait for a click. */
const OPEN_BYTES = 64_000;

/** Stands for the hash of a hidden value for those who may not see it. */
const keptBack = '0'.repeat(64);

/** A stored value under its port's name. */
export function ValueCard({ name, value: ref, note }: { name: string; value: ValueRef; note?: string }) {
  const [open, setOpen] = useState(ref.size <= OPEN_BYTES);
  return (
    <details className="value" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{name}</strong>
        {note !== undefined && <span className="muted small">{note}</span>}
        <span className="grow" />
        <span className="muted small">{bytes(ref.size)}</span>
      </summary>
      {open && <StoredValue value={ref} />}
    </details>
  );
}

function StoredValue({ value: ref }: { value: ValueRef }) {
  if (ref.hidden === true && ref.hash === keptBack)
    return <p className="hint pad">Kept back: expected answers and solutions are for authors and operators.</p>;
  return <ReadValue value={ref} />;
}

function ReadValue({ value: ref }: { value: ValueRef }) {
  const [load] = useLoad(() => readValue(ref), [ref.hash, ref.index]);
  if (load.status === 'loading') return <div className="hint pad">Loading…</div>;
  if (load.status === 'failed') return <FailureNotice failure={load.error} />;
  return <ValueView value={load.value} />;
}

/** A value the way people read it: files as downloads, workbooks and tables as grids, text as text, the rest as a tree. */
export function ValueView({ value }: { value: Json }) {
  const shape = useMemo(() => shapeOf(value), [value]);
  switch (shape.is) {
    case 'file':
      return <FileView file={shape.file} />;
    case 'grid':
      return (
        <Suspense fallback={<div className="hint pad">Loading…</div>}>
          <GridValue value={value} />
        </Suspense>
      );
    case 'text':
      return <pre className="text-value">{shape.text === '' ? '(empty text)' : shape.text}</pre>;
    case 'json':
      return <TreeValue value={value} />;
  }
}

type Shape =
  | { is: 'file'; file: FileValue }
  /** By its look: it may be none after all. */
  | { is: 'grid' }
  | { is: 'text'; text: string }
  | { is: 'json' };

export function shapeOf(value: Json): Shape {
  if (typeof value === 'string') return { is: 'text', text: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { is: 'json' };
  if ('hash' in value) {
    const file = FileValue.safeParse(value);
    if (file.success) return { is: 'file', file: file.data };
  }
  if ('sheets' in value || ('columns' in value && 'rows' in value)) return { is: 'grid' };
  return { is: 'json' };
}

export const isTextFile = (file: FileValue): boolean =>
  /^text\/|json|javascript|xml|yaml|x-sh/.test(file.mediaType) ||
  /\.(md|sh|json|ya?ml|csv|txt|py|js|ts|html|svg|xml)$/i.test(file.name);

/** A file with its size and a way to have it; with `preview`, its text can be opened in place. */
export function FileView({ file, preview = true }: { file: FileValue; preview?: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="stack tight">
      <div className="row file-line">
        <FileText size={16} aria-hidden />
        <span className="truncate grow" title={file.name}>
          {file.name}
        </span>
        <span className="muted small">{bytes(file.size)}</span>
        {preview && (isShown(file) || isTextFile(file)) && (
          <button type="button" className="button compact" onClick={() => setOpen(!open)}>
            {open ? 'Hide' : 'Show'}
          </button>
        )}
        <a className="button compact" href={fileUrl(file)} download={file.name}>
          <Download size={13} aria-hidden /> Download
        </a>
      </div>
      {open && (isShown(file) ? <OpenedFile file={file} /> : <StoredText file={file} />)}
    </div>
  );
}

/** Text of a stored file, as it is; nothing in it is run or rendered. */
export function StoredText({ file }: { file: FileValue }) {
  const [load] = useLoad(() => fileText(file), [file.hash]);
  if (load.status === 'loading') return <div className="hint pad">Loading…</div>;
  if (load.status === 'failed') return <FailureNotice failure={load.error} />;
  return <pre className="text-value">{load.value}</pre>;
}
