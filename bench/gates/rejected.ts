import { readFile } from 'node:fs/promises';
import { RejectedExample } from '@cua-forge/spec/review';
import { bad, type GateExample } from './example.ts';

/**
 * Examples that `forge packages review export` wrote, by their gates: what gates let pass and people rejected. Any check may find the fault, since
 * people name no check.
 */
export async function rejectedExamples(file: string): Promise<Map<string, GateExample[]>> {
  const byGate = new Map<string, GateExample[]>();
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  for (const line of lines) {
    const { gate, reason, packageId, note, params, inputs } = RejectedExample.parse(JSON.parse(line));
    const name = note === '' ? packageId : `${packageId}: ${note}`;
    byGate.set(gate, [...(byGate.get(gate) ?? []), bad(reason, '', name, { params, inputs })]);
  }
  return byGate;
}
