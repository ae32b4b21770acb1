import type { Verdict } from '@cua-forge/spec/kind';
import type { Proof, TaskManifest } from '@cua-forge/spec/task';

interface Claim {
  claim: string;
  gate: string;
  /** Line of evidence that the claim rests on; left out, all lines of the gate. */
  check?: string;
  /** Whether the gate has to have seen every file. */
  perFile?: boolean;
}

const claims: readonly Claim[] = [
  { claim: 'Every prepared file holds what the specification says.', gate: 'gate.matches-spec', perFile: true },
  { claim: 'Every prepared file opens in its application.', gate: 'gate.opens', perFile: true },
  {
    claim: 'The setup script carries out every operation, covers every precondition and does nothing else.',
    gate: 'gate.script',
  },
  {
    claim: 'The instruction gives no hidden answer away.',
    gate: 'gate.package',
    check: 'the instruction gives no answer away',
  },
  {
    claim: 'The instruction tells nothing of the setup.',
    gate: 'gate.package',
    check: 'the instruction tells no setup detail',
  },
  {
    claim: 'The rubric covers every must requirement.',
    gate: 'gate.package',
    check: 'the rubric covers every must requirement',
  },
  { claim: 'Files, setup and specification agree.', gate: 'gate.package', check: 'the setup places the checked files' },
];

/** What only a sandbox can show, and none has run. */
const needSandbox = [
  'The setup runs in a clean sandbox.',
  'The must criteria fail on the untouched environment.',
  'The must criteria pass after a reference solution.',
];

/** Evidence by gate, for the manifest. A verdict that does not name its gate counts for nothing. */
export function gateEvidence(verdicts: readonly Verdict[]): TaskManifest['gates'] {
  return verdicts.flatMap(({ gate, evidence }) => (gate === undefined ? [] : [{ gate, evidence }]));
}

/** What the gates have proven about a package, and, as honestly, what nothing has. */
export function proofsOf(verdicts: readonly Verdict[], fileCount: number): Proof[] {
  const unproven = needSandbox.map(
    (claim): Proof => ({ claim, status: 'not-proven', by: 'nothing', detail: 'No sandbox has run this package.' }),
  );
  return [...claims.map((claim) => proofOf(claim, verdicts, fileCount)), ...unproven];
}

function proofOf({ claim, gate, check, perFile }: Claim, verdicts: readonly Verdict[], fileCount: number): Proof {
  const own = verdicts.filter((verdict) => verdict.gate === gate);
  const lines = own.flatMap(({ evidence }) => evidence).filter((line) => check === undefined || line.check === check);
  const not = (detail: string): Proof => ({ claim, status: 'not-proven', by: gate, detail });
  if (lines.length === 0) return not('The gate did not look at this.');
  const failed = lines.filter(({ ok }) => !ok);
  if (failed.length > 0)
    return { claim, status: 'failed', by: gate, detail: failed.map(({ detail }) => detail).join('; ') };
  if (perFile === true && own.length < fileCount) return not(`The gate has seen ${own.length} of ${fileCount} files.`);
  const unopened = lines.filter(({ detail }) => detail.startsWith('not opened'));
  if (unopened.length > 0) return not(unopened.map(({ detail }) => detail).join('; '));
  return {
    claim,
    status: 'proven',
    by: gate,
    detail: lines
      .map((line) => `${line.check}: ${line.detail}`)
      .join('; ')
      .slice(0, 500),
  };
}
