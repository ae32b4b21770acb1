import type { GraphNode } from '@cua-forge/spec/document';
import type { JsonObject } from '@cua-forge/spec/json';
import { useState } from 'react';
import type { FormContext } from './field-types.ts';
import { Members } from './fields.tsx';
import { JsonEditor } from './json-editor.tsx';
import { isObject, schemaOf, widgetOf } from './json-schema.ts';

interface ParamsEditorProps {
  /** JSON Schema of the params; undefined when the kind is unknown: then only the JSON is shown. */
  schema: unknown;
  value: JsonObject;
  /** `path` is what was edited. */
  onChange(value: JsonObject, path: string): void;
  onBlur?(): void;
  /** Told whether what stands in the JSON view may be taken. */
  onValid?(valid: boolean): void;
  errors?: ReadonlyMap<string, string>;
  readOnly?: boolean;
  /** The node whose params these are. */
  node?: GraphNode;
}

const noErrors: ReadonlyMap<string, string> = new Map();
const nothing = () => {};

/** Params as a form made from their schema, or as JSON. */
export function ParamsEditor({
  schema,
  value,
  onChange,
  onBlur = nothing,
  onValid = nothing,
  errors = noErrors,
  readOnly = false,
  node,
}: ParamsEditorProps) {
  const [raw, setRaw] = useState(false);
  const widget = schema === undefined ? undefined : widgetOf(schema, schema);
  const asJson = raw || schema === undefined;
  const context: FormContext = { root: schema, errors, readOnly, onBlur, ...(node === undefined ? {} : { node }) };
  return (
    <div className="stack">
      <div className="row">
        <h3 className="grow">Parameters</h3>
        <div className="segments">
          <button
            type="button"
            aria-pressed={!asJson}
            disabled={schema === undefined}
            onClick={() => {
              setRaw(false);
              onValid(true);
            }}
          >
            Form
          </button>
          <button type="button" aria-pressed={asJson} onClick={() => setRaw(true)}>
            JSON
          </button>
        </div>
      </div>
      {asJson ? (
        <>
          <JsonEditor
            hideLabel
            label="Parameters as JSON"
            value={value}
            rows={12}
            readOnly={readOnly}
            onBlur={onBlur}
            onValid={onValid}
            check={(next) => (isObject(next) ? null : 'Parameters are an object: { … }')}
            onChange={(next) => isObject(next) && onChange(next, '')}
          />
          {[...errors].map(([path, message]) => (
            <span key={path} className="problem">
              {message}
            </span>
          ))}
        </>
      ) : widget?.as === 'object' ? (
        <Members
          context={context}
          properties={widget.properties}
          required={widget.required}
          path=""
          value={value}
          onChange={(next, path) => onChange(next !== undefined && isObject(next) ? next : {}, path)}
        />
      ) : Object.keys(schemaOf(schema).properties ?? {}).length === 0 && Object.keys(value).length === 0 ? (
        <span className="hint">This kind has no parameters.</span>
      ) : (
        <JsonEditor
          hideLabel
          label="Parameters as JSON"
          value={value}
          rows={8}
          readOnly={readOnly}
          onBlur={onBlur}
          onChange={(next) => isObject(next) && onChange(next, '')}
        />
      )}
    </div>
  );
}
