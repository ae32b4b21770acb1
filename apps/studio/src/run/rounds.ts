import type { Outcome } from '@cua-forge/spec/store-port';

/** The last execution of each round, first round first; `outcomes` in any order. */
export function roundsOf(outcomes: readonly Outcome[]): Outcome[] {
  const rounds = new Map<number, Outcome>();
  for (const outcome of outcomes) {
    const known = rounds.get(outcome.round);
    if (known === undefined || known.token < outcome.token) rounds.set(outcome.round, outcome);
  }
  return [...rounds.values()].sort((a, b) => a.round - b.round);
}

export interface CheckRow {
  check: string;
  /** What each round's verdict says of it; null where it says nothing. */
  rounds: ({ ok: boolean; detail: string } | null)[];
}

/** The checks of a gate, with what each round came to; those that ever failed first. */
export function checksOf(rounds: readonly Outcome[]): CheckRow[] {
  const names = [...new Set(rounds.flatMap(({ verdict }) => verdict?.evidence.map(({ check }) => check) ?? []))];
  const rows = names.map((check): CheckRow => {
    const said = rounds.map(({ verdict }) => {
      const lines = verdict?.evidence.filter((each) => each.check === check) ?? [];
      const bad = lines.filter(({ ok }) => !ok);
      const shown = bad.length > 0 ? bad : lines;
      return lines.length === 0 ? null : { ok: bad.length === 0, detail: shown.map(({ detail }) => detail).join('\n') };
    });
    return { check, rounds: said };
  });
  const troubled = ({ rounds: said }: CheckRow) => (said.some((each) => each?.ok === false) ? 0 : 1);
  return rows.sort((a, b) => troubled(a) - troubled(b));
}
