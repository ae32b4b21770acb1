import { Json, type JsonObject } from '@cua-forge/spec/json';
import type { ExecuteContext, Kind } from '@cua-forge/spec/kind';
import { PortType } from '@cua-forge/spec/port-type';
import { FileValue } from '@cua-forge/spec/value';
import { z } from 'zod';

const InlineFile = z.union([
  z.strictObject({ name: z.string(), mediaType: z.string(), text: z.string() }),
  z.strictObject({ name: z.string(), mediaType: z.string(), base64: z.string() }),
]);

/** Ports that a kind's params declare, by the name of the param that holds them. */
export function declaredPorts(params: JsonObject, name: string | undefined): Record<string, PortType> {
  if (name === undefined) return {};
  const parsed = z.record(z.string(), PortType).safeParse(params[name]);
  return parsed.success ? parsed.data : {};
}

async function stored(value: Json, context: ExecuteContext): Promise<Json> {
  if (Array.isArray(value)) return Promise.all(value.map((member) => stored(member, context)));
  const inline = InlineFile.safeParse(value);
  if (!inline.success)
    return typeof value === 'object' && value !== null
      ? Object.fromEntries(
          await Promise.all(Object.entries(value).map(async ([name, member]) => [name, await stored(member, context)])),
        )
      : value;
  const { name, mediaType } = inline.data;
  const bytes =
    'text' in inline.data ? new TextEncoder().encode(inline.data.text) : Buffer.from(inline.data.base64, 'base64');
  return { ...(await context.files.write(name, mediaType, bytes)) };
}

/** Runs a kind's example as the executor would: files stored, params and inputs parsed, everything else handed on as `extra`. */
export async function runExample(kind: Kind, context: ExecuteContext): Promise<Record<string, unknown>> {
  const params: unknown = kind.params.parse(kind.example.params);
  const inputs: Record<string, unknown> = {};
  const extra: JsonObject = {};
  for (const [name, plain] of Object.entries(kind.example.inputs)) {
    const port = kind.inputs[name];
    const type = port?.type ?? declaredPorts(kind.example.params, kind.inputsFromParam)[name];
    const value = type === 'file' || type === 'package' ? await stored(plain, context) : plain;
    if (port === undefined) extra[name] = value;
    else inputs[name] = (port.multiple ? z.array(port.schema) : port.schema).parse(value);
  }
  for (const [name, port] of Object.entries(kind.inputs)) if (port.multiple) inputs[name] ??= [];
  return kind.execute({ params, inputs, extra, context });
}

/** What a port may hold: its own schema, or any JSON for ports that params declare. */
export function outputSchema(kind: Kind, port: string): z.ZodType | undefined {
  const declared = kind.outputs[port]?.schema;
  if (declared !== undefined) return declared;
  const type = declaredPorts(kind.example.params, kind.outputsFromParam)[port];
  return type === undefined ? undefined : type === 'file' ? FileValue : Json;
}
