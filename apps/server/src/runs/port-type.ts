import type { KindMeta } from '@cua-forge/spec/kind';
import { kindIndex } from '@cua-forge/spec/kind-index';
import type { PortType } from '@cua-forge/spec/port-type';

/** Type to store a port's value as: `hidden` for all that must not be previewed, `any` for ports that only params declare. */
export function portTypeOf(
  kinds: readonly KindMeta[],
  node: { kind: string; version: number },
  side: 'inputs' | 'outputs',
  port: string,
): PortType {
  const kind = kindIndex(kinds).usable(node.kind, node.version);
  if (side === 'inputs') return kind?.inputs[port]?.type ?? 'any';
  const output = kind?.outputs[port];
  return output?.hidden === true ? 'hidden' : (output?.type ?? 'any');
}
