import type { GraphNode } from '@cua-forge/spec/document';
import type { Json } from '@cua-forge/spec/json';
import type { Schema, Widget } from './json-schema.ts';

/** What every field of one form shares. `errors` are messages by path. */
export interface FormContext {
  root: unknown;
  errors: ReadonlyMap<string, string>;
  readOnly: boolean;
  /** The node whose params these are: its prompts and expressions get the code editor. Absent where there is none to look around from. */
  node?: GraphNode;
  onBlur(): void;
}

export interface FieldProps {
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

export interface ControlProps extends FieldProps {
  id: string;
  schema: Schema;
  widget: Widget;
  invalid: boolean;
}
