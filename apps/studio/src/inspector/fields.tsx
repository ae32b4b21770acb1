import type { Json, JsonObject } from '@cua-forge/spec/json';
import { Trash2 } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { ListControl, RecordControl } from './collection-fields.tsx';
import type { ControlProps, FieldProps, FormContext } from './field-types.ts';
import { JsonEditor } from './json-editor.tsx';
import { blankVariant, isObject, join, type Schema, schemaOf, widgetOf } from './json-schema.ts';
import { NumberControl, TextControl } from './scalar-fields.tsx';

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
        <RecordControl {...props} entry={Field} of={widget.of} value={value ?? {}} />
      ) : (
        <Mismatch {...props} />
      );
    case 'list':
      return Array.isArray(value) || value === undefined ? (
        <ListControl {...props} entry={Field} of={widget.of} value={value ?? []} />
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
