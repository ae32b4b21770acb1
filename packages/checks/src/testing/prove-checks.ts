import type { NamedCheck } from '@cua-forge/spec/check';
import { compileChecks } from '@cua-forge/spec/check-compile';
import type { OfficePort } from '@cua-forge/spec/kind';
import { evaluateChecks } from '../evaluate.ts';
import { memoryReader } from '../file-readers.ts';

interface Proof {
  checks: readonly NamedCheck[];
  path: string;
  bytes: Uint8Array;
  office: Pick<OfficePort, 'convert'>;
}

/** Results of all checks on one file, by id, with the evidence of those parts that did not hold. */
export async function checkedOn({
  checks,
  path,
  bytes,
  office,
}: Proof): Promise<Record<string, { ok: boolean; failed: string[] }>> {
  const results = await evaluateChecks(compileChecks({ schema: 1, checks: [...checks] }), {
    reader: memoryReader(new Map([[path, bytes]])),
    office,
    signal: new AbortController().signal,
  });
  return Object.fromEntries(
    [...results].map(([id, { ok, evidence }]) => [
      id,
      {
        ok,
        failed: evidence.flatMap(({ held, where, expected, seen }) =>
          held === 'yes' ? [] : [`${where}: ${expected}, seen ${seen}`],
        ),
      },
    ]),
  );
}
