import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { corpora } from './corpora.ts';
import { type Judged, judgeCorpus, score } from './measure.ts';
import { rejectedExamples } from './rejected.ts';

/** What is asked of every gate, and tested. */
export const AIM = 0.95;

const share = (metric: string, value: number, against: number): BenchmarkResult => ({
  metric,
  value,
  unit: 'share',
  against,
  ratio: against === 0 ? null : value / against,
  aim: `≥ ${AIM}`,
});
const count = (metric: string, value: number): BenchmarkResult => ({
  metric,
  value,
  unit: 'examples',
  against: null,
  ratio: null,
  aim: '≥ 30',
});

/** Recall and precision beside those of a gate that refuses as many examples at random. */
export function resultsOf(gate: string, judged: readonly Judged[]): BenchmarkResult[] {
  const all = score(judged);
  const heldOut = score(judged.filter((one) => one.heldOut));
  return [
    share(`recall.${gate}`, all.recall, all.refusedShare),
    share(`precision.${gate}`, all.precision, all.badShare),
    share(`recall.${gate}.held-out`, heldOut.recall, heldOut.refusedShare),
    share(`precision.${gate}.held-out`, heldOut.precision, heldOut.badShare),
    count(`good.${gate}`, all.good),
    count(`bad.${gate}`, all.bad),
  ];
}

/**
 * Every gate on its examples. A bad example counts as found only when the check on its fault fails. A gate that needs
 * LibreOffice is left out where that is not installed. Examples that people rejected (`--examples`) have a figure of their own: each gate let them
 * pass once, so the figure begins at 0 and tells what a changed gate finds now.
 */
export const gatesBenchmark: Benchmark = {
  name: 'gates',
  async run(report, { only, examples }) {
    const rejected = examples === undefined ? new Map<string, never>() : await rejectedExamples(examples);
    const office = new LibreOffice('soffice');
    const hasOffice = (await office.version()) !== null;
    const results: BenchmarkResult[] = [];
    for (const [index, corpus] of corpora.entries()) {
      const { id } = corpus.gate;
      if (!id.includes(only)) continue;
      if (id === 'gate.opens' && !hasOffice) {
        report(`${id}: left out, LibreOffice is not installed here`);
        continue;
      }
      const started = Date.now();
      const judged = await judgeCorpus(corpus, office);
      const { good, bad, found, wronged } = score(judged);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      report(
        `${index + 1}/${corpora.length} ${id}: ${found} of ${bad} faults found, ${wronged} of ${good} good examples refused, ${seconds} s`,
      );
      for (const { example, refused, named, failed } of judged) {
        if (example.fault === null && refused) report(`  refused: ${example.name} (${failed.join('; ')})`);
        if (example.fault !== null && !(refused && named)) report(`  missed: ${example.fault.kind}, ${example.name}`);
      }
      results.push(...resultsOf(id.replace('gate.', ''), judged));
      const byPeople = rejected.get(id) ?? [];
      if (byPeople.length === 0) continue;
      const again = await judgeCorpus({ gate: corpus.gate, examples: async () => byPeople }, office);
      for (const { example, refused } of again) if (!refused) report(`  still let pass: ${example.name}`);
      const refusedNow = again.filter(({ refused }) => refused).length / again.length;
      results.push({
        ...share(`found.people.${id.replace('gate.', '')}`, refusedNow, 0),
        unit: `share of ${again.length}`,
        aim: 'rises',
      });
    }
    return results;
  },
};
