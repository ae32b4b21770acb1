import { Json } from '@cua-forge/spec/json';
import { useEffect, useId, useState } from 'react';

interface JsonEditorProps {
  label: string;
  value: Json | undefined;
  onChange(value: Json): void;
  onBlur?(): void;
  /** Told whether the text is JSON that may be taken. */
  onValid?(valid: boolean): void;
  check?(value: Json): string | null;
  error?: string | undefined;
  readOnly?: boolean;
  rows?: number;
  hideLabel?: boolean;
}

/** JSON as text. What is not JSON (or refused by `check`) is shown as a fault and never handed on. */
export function JsonEditor({
  label,
  value,
  onChange,
  onBlur,
  onValid,
  check,
  error,
  readOnly = false,
  rows = 4,
  hideLabel = false,
}: JsonEditorProps) {
  const id = useId();
  const written = value === undefined ? '' : JSON.stringify(value, null, 2);
  const [text, setText] = useState(written);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    // A change from outside (undo, another node) replaces the text; one's own typing keeps its spacing.
    setText((before) => (sameJson(before, written) ? before : written));
    setFault(null);
  }, [written]);
  const change = (next: string) => {
    setText(next);
    const result = read(next);
    const refused = result.ok ? (check?.(result.value) ?? null) : result.reason;
    setFault(refused);
    onValid?.(refused === null);
    if (result.ok && refused === null) onChange(result.value);
  };
  const shown = fault ?? error;
  return (
    <div className="field">
      <label className={hideLabel ? 'visually-hidden' : 'label'} htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className="textarea code"
        spellCheck={false}
        rows={rows}
        value={text}
        readOnly={readOnly}
        aria-invalid={shown !== undefined && shown !== null}
        aria-describedby={shown ? `${id}-fault` : undefined}
        onChange={(event) => change(event.target.value)}
        onBlur={onBlur}
      />
      {shown && (
        <span id={`${id}-fault`} className="problem">
          {shown}
        </span>
      )}
    </div>
  );
}

type Read = { ok: true; value: Json } | { ok: false; reason: string };

function read(text: string): Read {
  try {
    return { ok: true, value: Json.parse(JSON.parse(text)) };
  } catch (error) {
    return { ok: false, reason: error instanceof SyntaxError ? `Not JSON yet: ${error.message}` : 'Not JSON.' };
  }
}

function sameJson(a: string, b: string): boolean {
  const [left, right] = [read(a), read(b)];
  return left.ok && right.ok && JSON.stringify(left.value) === JSON.stringify(right.value);
}
