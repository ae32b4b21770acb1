import type { OfficePort } from '@cua-forge/spec/kind';
import { Verdict } from '@cua-forge/spec/kind';
import { runKind } from '@cua-forge/testing/run-kind';
import type { GateCorpus, GateExample } from './example.ts';

/** What a gate said about one example. */
export interface Judged {
  example: GateExample;
  /** Not looked at while the gate was written. */
  heldOut: boolean;
  refused: boolean;
  /** For a bad example: the check on its fault failed. */
  named: boolean;
  failed: string[];
}

export interface Score {
  good: number;
  bad: number;
  /** Bad examples that were refused for their fault. */
  found: number;
  /** Good examples that were refused. */
  wronged: number;
  /** Share of bad examples that were refused, and for the right reason. */
  recall: number;
  /** Share of bad examples among those refused. */
  precision: number;
  /** Share of examples that were refused, and share that are bad: recall and precision of refusing as many at random. */
  refusedShare: number;
  badShare: number;
}

/** Every third good and every third bad example is held out. */
function withHeldOut(examples: readonly GateExample[]): { example: GateExample; heldOut: boolean }[] {
  const counts = { good: 0, bad: 0 };
  return examples.map((example) => {
    const which = example.fault === null ? 'good' : 'bad';
    counts[which] += 1;
    return { example, heldOut: counts[which] % 3 === 0 };
  });
}

export async function judgeCorpus(corpus: GateCorpus, office?: OfficePort): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const { example, heldOut } of withHeldOut(await corpus.examples())) {
    const { params = {}, inputs, files, fault } = example;
    const outputs = await runKind(corpus.gate, {
      params,
      inputs,
      ...(files === undefined ? {} : { files }),
      ...(office === undefined ? {} : { office }),
    });
    const { verdict, evidence } = Verdict.parse(outputs.verdict);
    const wrong = evidence.filter(({ ok }) => !ok);
    const refused = verdict !== 'pass';
    const named = fault !== null && wrong.some(({ check }) => check.startsWith(fault.check));
    judged.push({ example, heldOut, refused, named, failed: wrong.map(({ check, detail }) => `${check}: ${detail}`) });
  }
  return judged;
}

export function score(judged: readonly Judged[]): Score {
  const bad = judged.filter(({ example }) => example.fault !== null);
  const good = judged.filter(({ example }) => example.fault === null);
  const found = bad.filter(({ refused, named }) => refused && named).length;
  const refusedBad = bad.filter(({ refused }) => refused).length;
  const wronged = good.filter(({ refused }) => refused).length;
  return {
    good: good.length,
    bad: bad.length,
    found,
    wronged,
    recall: found / bad.length,
    precision: refusedBad + wronged === 0 ? 0 : refusedBad / (refusedBad + wronged),
    refusedShare: (refusedBad + wronged) / judged.length,
    badShare: bad.length / judged.length,
  };
}
