import type { DocumentRecord } from '@cua-forge/spec/store-port';
import { useId } from 'react';
import type { Load } from '../api/use-load.ts';

interface WorkflowFieldProps {
  load: Load<readonly Pick<DocumentRecord, 'id' | 'title'>[]>;
  /** Empty while none is chosen. */
  value: string;
  onChange(id: string): void;
  disabled?: boolean;
}

/** Chooses the workflow that something is made for. */
export function WorkflowField({ load, value, onChange, disabled = false }: WorkflowFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Workflow
      </label>
      <select
        id={id}
        className="select"
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">{load.status === 'loading' ? 'Loading…' : 'Choose one'}</option>
        {load.status === 'loaded' &&
          load.value.map((document) => (
            <option key={document.id} value={document.id}>
              {document.title}
            </option>
          ))}
      </select>
    </div>
  );
}
