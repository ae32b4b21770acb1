import { type ReactNode, useId } from 'react';

/** A number of a text, or null for an empty one; undefined when it is neither. */
export function numberOf(text: string, { whole = false, least = Number.MIN_VALUE } = {}): number | null | undefined {
  if (text.trim() === '') return null;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least || (whole && !Number.isSafeInteger(value))) return undefined;
  return value;
}

interface NumberFieldProps {
  label: string;
  value: string;
  invalid: boolean;
  hint?: ReactNode;
  placeholder?: string;
  onChange(text: string): void;
}

export function NumberField({ label, value, invalid, hint, placeholder, onChange }: NumberFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="input"
        inputMode="decimal"
        value={value}
        placeholder={placeholder}
        aria-invalid={invalid}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onChange(event.target.value)}
      />
      {hint !== undefined && (
        <span id={`${id}-hint`} className="hint">
          {hint}
        </span>
      )}
    </div>
  );
}
