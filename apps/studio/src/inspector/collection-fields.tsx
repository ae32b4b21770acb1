import type { Json, JsonObject } from '@cua-forge/spec/json';
import { Plus, Trash2 } from 'lucide-react';
import { type ComponentType, useEffect, useState } from 'react';
import type { ControlProps, FieldProps, FormContext } from './field-types.ts';
import { blankOf, join } from './json-schema.ts';

type CollectionProps<T> = Omit<ControlProps, 'value'> & {
  /** Schema of an entry. */
  of: unknown;
  value: T;
  /** Draws an entry: any field, this one again too. */
  entry: ComponentType<FieldProps>;
};

export function RecordControl({
  context,
  id,
  name,
  path,
  of,
  value,
  onChange,
  entry: Entry,
}: CollectionProps<JsonObject>) {
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
            <Entry
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

export function ListControl({ context, id, name, path, of, value, onChange, entry: Entry }: CollectionProps<Json[]>) {
  return (
    <div className="group compact-group" id={id}>
      {value.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no identity but their place
        <div key={index} className="pair">
          <div className="grow">
            <Entry
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
