import type { Json, JsonObject } from '@cua-forge/spec/json';
import { Plus, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { JsonEditor } from './json-editor.tsx';
import {
  blankOf,
  blankVariant,
  isObject,
  join,
  type Schema,
  schemaOf,
  takesNull,
  type Widget,
  widgetOf,
} from './json-schema.ts';

/** What every field of one form shares. `errors` are messages by path. */
export interface FormContext {
  root: unknown;
  errors: ReadonlyMap<string, string>;
  readOnly: boolean;
  onBlur(): void;
}

interface FieldProps {
  context: FormContext;
  schema: unknown;
  /** Name shown as the label; null inside lists and records, which label by position. */
  name: string | null;
  path: string;
  value: Json | undefined;
  required: boolean;
  /** undefined takes the member away. */
  onChange(value: Json | undefined, path: string): void;
}

const LONG =
  /prompt|system|template|expression|condition|until|message|script|text|content|instruction|notes|description|sentence/i;
const CODE = /expression|condition|until|script|template|prompt|command/i;

export function Field(props: FieldProps) {
  const { context, name, path, value, required } = props;
  const id = useId();
  const schema = schemaOf(props.schema, context.root);
  const widget = widgetOf(props.schema, context.root);
  const error = context.errors.get(path);
  const label =
    name === null ? null : (
      <label className="label" htmlFor={id}>
        {schema.title ?? name}
        {required && (
          <span className="required" title="required">
            *
          </span>
        )}
      </label>
    );
  const control = <Control {...props} id={id} schema={schema} widget={widget} invalid={error !== undefined} />;
  if (widget.as === 'boolean') {
    return (
      <div className="field">
        <div className="row">
          {control}
          {label}
        </div>
        <Notes schema={schema} error={error} />
      </div>
    );
  }
  if (widget.as === 'json')
    return (
      <div className="field">
        {control}
        {schema.description !== undefined && <span className="hint">{schema.description}</span>}
      </div>
    );
  const optional =
    !required &&
    value !== undefined &&
    (widget.as === 'object' || widget.as === 'variants' || widget.as === 'record' || widget.as === 'list');
  return (
    <div className="field">
      {(label !== null || optional) && (
        <div className="row">
          {label}
          <span className="grow" />
          {optional && name !== null && !context.readOnly && (
            <button type="button" className="button quiet compact" onClick={() => props.onChange(undefined, path)}>
              Clear
            </button>
          )}
        </div>
      )}
      {control}
      <Notes schema={schema} error={error} />
    </div>
  );
}

function Notes({ schema, error }: { schema: Schema; error: string | undefined }): ReactNode {
  if (error !== undefined) return <span className="problem">{error}</span>;
  return schema.description === undefined ? null : <span className="hint">{schema.description}</span>;
}

interface ControlProps extends FieldProps {
  id: string;
  schema: Schema;
  widget: Widget;
  invalid: boolean;
}

function Control(props: ControlProps) {
  const { context, id, schema, widget, path, value, required, invalid, onChange } = props;
  const common = {
    id,
    'aria-invalid': invalid,
    'aria-label': props.name === null ? path : undefined,
    onBlur: context.onBlur,
  } as const;
  switch (widget.as) {
    case 'text':
      return <TextControl {...props} />;
    case 'number':
      return <NumberControl {...props} integer={widget.integer} />;
    case 'boolean':
      return (
        <input
          {...common}
          type="checkbox"
          disabled={context.readOnly}
          checked={value === undefined ? schema.default === true : value === true}
          onChange={(event) => onChange(event.target.checked, path)}
        />
      );
    case 'enum': {
      const fallback = typeof schema.default === 'string' ? schema.default : undefined;
      const shown = typeof value === 'string' ? value : '';
      return (
        <select
          {...common}
          className="select"
          disabled={context.readOnly}
          value={shown}
          onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value, path)}
        >
          {(!required || !widget.values.includes(shown)) && (
            <option value="">{fallback === undefined ? '—' : `default: ${fallback}`}</option>
          )}
          {widget.values.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
          {shown !== '' && !widget.values.includes(shown) && <option value={shown}>{shown} (not allowed)</option>}
        </select>
      );
    }
    case 'json':
      return (
        <JsonEditor
          label={props.name === null ? path : `${schema.title ?? props.name}${required ? ' *' : ''}`}
          value={value}
          error={context.errors.get(path)}
          readOnly={context.readOnly}
          onBlur={context.onBlur}
          onChange={(next) => onChange(next, path)}
          rows={3}
        />
      );
    case 'object':
      return isObject(value) || value === undefined ? (
        <div className="group">
          <Members
            context={context}
            properties={widget.properties}
            required={widget.required}
            path={path}
            value={value ?? {}}
            onChange={onChange}
          />
        </div>
      ) : (
        <Mismatch {...props} />
      );
    case 'record':
      return isObject(value) || value === undefined ? (
        <RecordControl {...props} of={widget.of} value={value ?? {}} />
      ) : (
        <Mismatch {...props} />
      );
    case 'list':
      return Array.isArray(value) || value === undefined ? (
        <ListControl {...props} of={widget.of} value={value ?? []} />
      ) : (
        <Mismatch {...props} />
      );
    case 'variants': {
      if (value !== undefined && !isObject(value)) return <Mismatch {...props} />;
      const tag = value?.[widget.tag];
      const variant = widget.variants.find((each) => each.tag.value === tag);
      return (
        <div className="group">
          <select
            id={id}
            className="select"
            disabled={context.readOnly}
            aria-label={widget.tag}
            value={variant?.tag.value ?? ''}
            onChange={(event) => {
              const next = widget.variants.find((each) => each.tag.value === event.target.value);
              // Members that both variants have (a name, say) stay.
              if (next !== undefined)
                onChange(
                  {
                    ...blankVariant(next, context.root),
                    ...shared(value ?? {}, next.schema),
                    [widget.tag]: next.tag.value,
                  },
                  path,
                );
            }}
          >
            {variant === undefined && <option value="">choose…</option>}
            {widget.variants.map((each) => (
              <option key={each.tag.value} value={each.tag.value}>
                {each.label}
              </option>
            ))}
          </select>
          {variant !== undefined && (
            <Members
              context={context}
              properties={Object.entries(variant.schema.properties ?? {}).filter(([name]) => name !== widget.tag)}
              required={new Set(variant.schema.required)}
              except={widget.tag}
              path={path}
              value={value ?? {}}
              onChange={onChange}
            />
          )}
        </div>
      );
    }
  }
}

const shared = (value: JsonObject, schema: Schema): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([name]) => schema.properties?.[name] !== undefined));

/** A value of another kind than the schema wants: edited as JSON, so that nothing is lost. */
function Mismatch({ name, path, value, context, onChange }: ControlProps) {
  return (
    <JsonEditor
      hideLabel
      label={name ?? path}
      value={value}
      readOnly={context.readOnly}
      onBlur={context.onBlur}
      onChange={(next) => onChange(next, path)}
    />
  );
}

function TextControl({ context, id, name, path, schema, value, required, invalid, onChange }: ControlProps) {
  const text = typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);
  const long = LONG.test(name ?? path) || text.includes('\n') || text.length > 60;
  const placeholder = typeof schema.default === 'string' ? `default: ${schema.default}` : undefined;
  const change = (next: string) =>
    onChange(next === '' && !required ? (takesNull(schema) ? null : undefined) : next, path);
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

function NumberControl({
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

interface MembersProps {
  context: FormContext;
  properties: readonly [string, unknown][];
  required: ReadonlySet<string>;
  path: string;
  value: JsonObject;
  /** Member that is edited elsewhere. */
  except?: string;
  onChange(value: Json | undefined, path: string): void;
}

/** Fields for the members of an object, then what the object holds besides. */
export function Members({ context, properties, required, path, value, except, onChange }: MembersProps) {
  const known = new Set([...properties.map(([name]) => name), except]);
  const set = (name: string) => (next: Json | undefined, at: string) => {
    const { [name]: _, ...rest } = value;
    onChange(next === undefined ? rest : { ...value, [name]: next }, at);
  };
  return (
    <>
      {properties.map(([name, schema]) => (
        <Field
          key={name}
          context={context}
          schema={schema}
          name={name}
          path={join(path, name)}
          value={value[name]}
          required={required.has(name)}
          onChange={set(name)}
        />
      ))}
      {Object.keys(value)
        .filter((name) => !known.has(name))
        .map((name) => (
          <div key={name} className="row">
            <div className="grow">
              <Field
                context={context}
                schema={{}}
                name={`${name} (not known to this kind)`}
                path={join(path, name)}
                value={value[name]}
                required={false}
                onChange={set(name)}
              />
            </div>
            <button
              type="button"
              className="button quiet compact square"
              aria-label={`Remove ${name}`}
              disabled={context.readOnly}
              onClick={() => set(name)(undefined, join(path, name))}
            >
              <Trash2 size={14} aria-hidden />
            </button>
          </div>
        ))}
    </>
  );
}

function RecordControl({
  context,
  id,
  name,
  path,
  of,
  value,
  onChange,
}: Omit<ControlProps, 'value'> & { of: unknown; value: JsonObject }) {
  const entries = Object.entries(value);
  const rename = (from: string, to: string) => {
    if (to === from || to === '' || to in value) return;
    onChange(Object.fromEntries(entries.map(([key, each]) => [key === from ? to : key, each])), join(path, to));
  };
  const add = () => {
    let number = entries.length + 1;
    while (`name${number}` in value) number += 1;
    onChange({ ...value, [`name${number}`]: blankOf(of, context.root) }, path);
  };
  return (
    <div className="group compact-group" id={id}>
      {entries.map(([key, each], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row stays itself while its name is edited
        <div key={index} className="pair">
          <KeyInput name={key} readOnly={context.readOnly} onRename={(to) => rename(key, to)} />
          <div className="grow">
            <Field
              context={context}
              schema={of}
              name={null}
              path={join(path, key)}
              value={each}
              required
              onChange={(next, at) => onChange({ ...value, [key]: next ?? null }, at)}
            />
          </div>
          <RemoveButton
            label={`Remove ${key}`}
            context={context}
            onClick={() => onChange(Object.fromEntries(entries.filter(([other]) => other !== key)), path)}
          />
        </div>
      ))}
      <AddButton label={`Add to ${name ?? path}`} context={context} onClick={add} />
    </div>
  );
}

function KeyInput({ name, readOnly, onRename }: { name: string; readOnly: boolean; onRename(to: string): void }) {
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  return (
    <input
      className="input key"
      aria-label="Name"
      value={text}
      readOnly={readOnly}
      spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => onRename(text.trim())}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onRename(text.trim());
      }}
    />
  );
}

function ListControl({
  context,
  id,
  name,
  path,
  of,
  value,
  onChange,
}: Omit<ControlProps, 'value'> & { of: unknown; value: Json[] }) {
  return (
    <div className="group compact-group" id={id}>
      {value.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no identity but their place
        <div key={index} className="pair">
          <div className="grow">
            <Field
              context={context}
              schema={of}
              name={null}
              path={join(path, index)}
              value={each}
              required
              onChange={(next, at) => onChange(value.with(index, next ?? null), at)}
            />
          </div>
          <RemoveButton
            label={`Remove item ${index + 1}`}
            context={context}
            onClick={() => onChange(value.toSpliced(index, 1), path)}
          />
        </div>
      ))}
      <AddButton
        label={`Add to ${name ?? path}`}
        context={context}
        onClick={() => onChange([...value, blankOf(of, context.root)], path)}
      />
    </div>
  );
}

function AddButton({ label, context, onClick }: { label: string; context: FormContext; onClick(): void }) {
  return context.readOnly ? null : (
    <button type="button" className="button quiet compact add" aria-label={label} onClick={onClick}>
      <Plus size={13} aria-hidden /> Add
    </button>
  );
}

function RemoveButton({ label, context, onClick }: { label: string; context: FormContext; onClick(): void }) {
  return context.readOnly ? null : (
    <button type="button" className="button quiet compact square" aria-label={label} title="Remove" onClick={onClick}>
      <Trash2 size={13} aria-hidden />
    </button>
  );
}
