import { z } from 'zod';

/** Types of the values that flow along edges. All are JSON in the store; `file` is a reference to file bytes. */
export const portTypes = [
  'any',
  'text',
  'number',
  'boolean',
  'json',
  'list',
  'table',
  'file',
  'workbook',
  'spec',
  'hidden',
  'operation',
  'script',
  'rubric',
  'package',
  'error',
] as const;
export const PortType = z.enum(portTypes);
export type PortType = z.infer<typeof PortType>;

const jsonLike: ReadonlySet<PortType> = new Set([
  'text',
  'number',
  'boolean',
  'json',
  'list',
  'table',
  'workbook',
  'spec',
  'operation',
  'script',
  'rubric',
  'error',
]);

/**
 * Whether a value of type `source` may enter a port of type `target`. `json` takes every plain value except hidden ones;
 * `any` on either side is checked when the node runs.
 */
export function accepts(target: PortType, source: PortType): boolean {
  if (target === source || target === 'any' || source === 'any') return true;
  if (target === 'json') return jsonLike.has(source);
  if (target === 'list') return source === 'table' || source === 'json';
  return source === 'json' && jsonLike.has(target);
}
