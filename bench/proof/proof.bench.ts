import { buildTask } from '@cua-forge/proof/testing/sample-task';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ProofRecord } from '@cua-forge/spec/proof';
import { skillNames } from '../../scripts/lib/generate-task.ts';
import { PackageProver } from '../../scripts/lib/package-prover.ts';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import type { Fault } from './faults/fault.ts';
import { faults } from './faults.ts';
import { type GoodPackage, goodPackages } from './good-packages.ts';

/** Proofs side by side: each keeps most of a core busy, but for those that wait for what never comes. */
const together = 3;
const seeds = [7, 8, 9, 10];

interface Outcome {
  name: string;
  fault: string | null;
  /** `refused`: the package cannot even be read. `broken`: the proof itself could not be done, which catches nothing. */
  verdict: ProofRecord['verdict'] | 'refused' | 'broken';
  step: string;
  reason: string;
  seconds: number;
}

/** Sound packages of the shipped skills, and such with a planted fault, each proven in sandboxes of its own. `pairs` is how many proofs of each fault are made. */
export const proofBenchmark: Benchmark = {
  name: 'proof',
  pairs: 1,
  async run(report, { pairs, only }) {
    const prover = new PackageProver({ warm: together, together });
    const lacking = await prover.missing();
    if (lacking !== null) throw lacking;
    const good = goodPackages(only === '' ? seeds : seeds.slice(0, 1));
    const wanted = faults.filter(({ kind }) => kind.includes(only));
    const outcomes: Outcome[] = [];
    const began = performance.now();
    const total = good.length + wanted.length * pairs;
    const say = ({ name, fault, verdict, step, reason, seconds }: Outcome) => {
      const passed = (performance.now() - began) / 60_000;
      const rate = outcomes.length / passed;
      report(
        `${outcomes.length}/${total}, ${rate.toFixed(1)}/min, ${Math.ceil((total - outcomes.length) / rate)} min left: ${fault ?? 'sound'} (${name}): ${verdict}${step === '' ? '' : ` in ${step}`}, ${seconds} s${reason === '' ? '' : `: ${reason.slice(0, 160)}`}`,
      );
    };
    const prove = async (base: GoodPackage, fault: Fault | null): Promise<Outcome | null> => {
      const draft = await base.draft();
      if (fault !== null && !(await fault.plant(draft))) return null;
      const outcome = await outcomeOf(prover, base.name, fault?.kind ?? null, buildTask(draft));
      outcomes.push(outcome);
      say(outcome);
      return outcome;
    };
    try {
      const usable: GoodPackage[] = [];
      const isEnded = () => prover.ended;
      const [ofEach, others] = [good.slice(0, 1 + skillNames().length), good.slice(1 + skillNames().length)];
      await sideBySide(ofEach, isEnded, async (one) => {
        // One that is not proven says nothing of faults.
        if ((await prove(one, null))?.verdict === 'proven') usable.push(one);
      });
      let turn = 0;
      await sideBySide(
        wanted.flatMap((fault) => Array.from({ length: pairs }, () => fault)),
        isEnded,
        async (fault) => {
          // Skills take turns; one that the fault does not fit is passed over.
          for (let tried = 0; tried < usable.length; tried += 1) {
            const base = usable[turn++ % usable.length];
            if (base !== undefined && (await prove(base, fault)) !== null) return;
          }
          report(`${fault.kind}: fits no package`);
        },
      );
      await sideBySide(others, isEnded, async (one) => {
        await prove(one, null);
      });
    } finally {
      await prover.close();
    }
    for (const { fault, name } of outcomes.filter((one) => one.fault !== null && !isCaught(one)))
      report(`not caught: ${fault} (${name})`);
    return [
      ...resultsOf(outcomes, (performance.now() - began) / 60_000),
      figure('proofs.done', outcomes.length, 'proofs', `all ${total}`),
    ];
  },
};

/** Some at a time. Whoever ends the process gets the figures of what was done until then. */
async function sideBySide<T>(
  all: readonly T[],
  isEnded: () => boolean,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const waiting = [...all];
  const next = async () => {
    for (let one = waiting.shift(); one !== undefined && !isEnded(); one = waiting.shift())
      await work(one).catch((thrown: unknown) => {
        if (!isEnded()) throw thrown;
      });
  };
  await Promise.all(Array.from({ length: together }, next));
}

async function outcomeOf(
  prover: PackageProver,
  name: string,
  fault: string | null,
  task: ReturnType<typeof buildTask>,
): Promise<Outcome> {
  try {
    const { verdict, steps, reason, seconds } = await prover.prove(task, `bench proof ${name}`);
    const step = steps.find(({ result }) => result === 'failed')?.step ?? '';
    return { name, fault, verdict, step, reason: reason ?? '', seconds };
  } catch (thrown) {
    if (!(thrown instanceof ForgeError) || thrown.code === 'node.cancelled') throw thrown;
    const refused = ['input.invalid', 'params.invalid'].includes(thrown.code);
    return {
      name,
      fault,
      verdict: refused ? 'refused' : 'broken',
      step: refused ? 'reading' : '',
      reason: thrown.message,
      seconds: 0,
    };
  }
}

const isCaught = ({ verdict }: Outcome): boolean => verdict !== 'proven' && verdict !== 'broken';

const figure = (metric: string, value: number, unit: string, aim: string): BenchmarkResult => ({
  metric,
  value,
  unit,
  against: null,
  ratio: null,
  aim,
});

function resultsOf(outcomes: readonly Outcome[], minutes: number): BenchmarkResult[] {
  const planted = outcomes.filter(({ fault }) => fault !== null);
  const good = outcomes.filter(({ fault }) => fault === null);
  const share = (part: number, all: number) => (all === 0 ? Number.NaN : part / all);
  const proven = (all: readonly Outcome[]) => all.filter(({ verdict }) => verdict === 'proven').length;
  const by = (one: Outcome) => (isCaught(one) ? one.step || one.verdict : 'nothing');
  const median = (all: readonly Outcome[]) =>
    all.map(({ seconds }) => seconds).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
  return [
    figure('faults.caught', share(planted.filter(isCaught).length, planted.length), 'share', '≥ 0.95'),
    figure('false.alarms', share(good.length - proven(good), good.length), 'share', '≤ 0.02'),
    figure('proofs.per.minute', outcomes.length / minutes, '1/min', '–'),
    figure('proof.sound.p50', median(good), 's', '–'),
    figure('sound.packages', good.length, 'packages', '≥ 20'),
    figure('fault.kinds', new Set(planted.map(({ fault }) => fault)).size, 'kinds', '≥ 20'),
    ...[...new Set(planted.map(by))]
      .sort()
      .map((step) => figure(`caught.by.${step}`, planted.filter((one) => by(one) === step).length, 'faults', '–')),
  ];
}
