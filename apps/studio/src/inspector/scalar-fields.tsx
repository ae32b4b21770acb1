import { useEffect, useState } from 'react';
import { ExpressionField } from '../code-editor/expression-field.tsx';
import type { CodeLanguage } from '../code-editor/languages.ts';
import type { ControlProps } from './field-types.ts';
import { type Schema, takesNull } from './json-schema.ts';

const LONG =
  /prompt|system|template|expression|condition|until|message|script|text|content|instruction|notes|description|sentence/i;
const CODE = /expression|condition|until|script|template|prompt|command/i;

/** What a text of that schema is written in, where it is no plain text. */
export function codeLanguageOf({ format, description = '' }: Schema): CodeLanguage | null {
  if (format === 'jsonata' || format === 'liquid') return format;
  return /\(Liquid\b/.test(description) ? 'liquid' : null;
}

export function TextControl({ context, id, name, path, schema, value, required, invalid, onChange }: ControlProps) {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const long = LONG.test(name ?? path) || text.includes('\n') || text.length > 60;
  const placeholder = typeof schema.default === 'string' ? `default: ${schema.default}` : undefined;
  const change = (next: string) =>
    onChange(next === '' && !required ? (takesNull(schema) ? null : undefined) : next, path);
  const language = codeLanguageOf(schema);
  if (language !== null && context.node !== undefined) {
    return (
      <ExpressionField
        id={id}
        label={name === null ? path : (schema.title ?? name)}
        language={language}
        node={context.node}
        value={text}
        readOnly={context.readOnly}
        invalid={invalid}
        hint={placeholder ?? ''}
        onChange={change}
        onBlur={context.onBlur}
      />
    );
  }
  const common = {
    id,
    value: text,
    placeholder,
    readOnly: context.readOnly,
    spellCheck: false,
    'aria-invalid': invalid,
    'aria-label': name === null ? path : undefined,
    onBlur: context.onBlur,
  } as const;
  const code = CODE.test(name ?? path) ? ' code' : '';
  return long ? (
    <textarea
      {...common}
      className={`textarea${code}`}
      rows={code === '' ? 2 : 3}
      onChange={(event) => change(event.target.value)}
    />
  ) : (
    <input {...common} className={`input${code}`} onChange={(event) => change(event.target.value)} />
  );
}

export function NumberControl({
  context,
  id,
  name,
  path,
  schema,
  value,
  required,
  invalid,
  integer,
  onChange,
}: ControlProps & { integer: boolean }) {
  const written = value === undefined || value === null ? '' : String(value);
  const [text, setText] = useState(written);
  useEffect(
    () =>
      setText((before) => (before !== '' && Number(before) === Number(written) && written !== '' ? before : written)),
    [written],
  );
  const change = (next: string) => {
    setText(next);
    if (next.trim() === '') onChange(required ? undefined : takesNull(schema) ? null : undefined, path);
    else if (Number.isFinite(Number(next))) onChange(Number(next), path);
  };
  const range = [schema.minimum, schema.maximum].every((limit) => limit === undefined || Math.abs(limit) > 1e12)
    ? undefined
    : `${schema.minimum ?? '…'} to ${schema.maximum !== undefined && Math.abs(schema.maximum) < 1e12 ? schema.maximum : '…'}`;
  return (
    <input
      id={id}
      className="input"
      type="text"
      inputMode={integer ? 'numeric' : 'decimal'}
      value={text}
      placeholder={schema.default === undefined ? range : `default: ${String(schema.default)}`}
      readOnly={context.readOnly}
      aria-invalid={invalid || (text !== '' && !Number.isFinite(Number(text)))}
      aria-label={name === null ? path : undefined}
      onChange={(event) => change(event.target.value)}
      onBlur={context.onBlur}
    />
  );
}
