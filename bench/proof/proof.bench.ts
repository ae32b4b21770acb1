import { join } from 'node:path';
import { lentGround } from '@cua-forge/proof/lent-ground';
import { prove } from '@cua-forge/proof/prove';
import { readSubject } from '@cua-forge/proof/subject';
import { type BuiltTask, buildTask } from '@cua-forge/proof/testing/sample-task';
import { loadSandboxSettings } from '@cua-forge/sandbox/settings';
import { ForgeError } from '@cua-forge/spec/errors';
import type { ProofRecord } from '@cua-forge/spec/proof';
import type { SandboxesPort } from '@cua-forge/spec/sandboxes-port';
import { LibreOffice } from '@cua-forge/worker/office/libre-office';
import { createProvider } from '@cua-forge/worker/sandbox/create-providers';
import { LentSandboxes } from '@cua-forge/worker/sandbox/lent-sandboxes';
import pino from 'pino';
import type { Benchmark, BenchmarkResult } from '../benchmark.ts';
import { faults } from './faults.ts';
import { type GoodPackage, goodPackages } from './good-packages.ts';

const root = join(import.meta.dirname, '../..');
const office = new LibreOffice(process.env.FORGE_SOFFICE ?? 'soffice');

export async function proofOf(task: BuiltTask, sandboxes: SandboxesPort): Promise<ProofRecord> {
  const subject = await readSubject(task.package, task.read);
  const signal = new AbortController().signal;
  return (await prove(subject, lentGround({ sandboxes }), { office, signal, progress: () => {} })).record;
}

/** A sandbox that is lost says nothing about the package: the engine tries again, and so does this, once. */
const repeated = (task: BuiltTask, sandboxes: SandboxesPort): Promise<ProofRecord> =>
  proofOf(task, sandboxes).catch((thrown: unknown) => {
    if (thrown instanceof ForgeError && thrown.code === 'sandbox.lost') return proofOf(task, sandboxes);
    throw thrown;
  });

interface Outcome {
  name: string;
  fault: string | null;
  verdict: ProofRecord['verdict'];
  step: string;
  reason: string;
  seconds: number;
}

function outcomeOf(name: string, fault: string | null, { verdict, steps, reason, seconds }: ProofRecord): Outcome {
  const step = steps.find(({ result }) => result === 'failed')?.step ?? '';
  return { name, fault, verdict, step, reason: reason ?? '', seconds };
}

/** Good packages of the shipped skills and such with a planted fault, each proven in sandboxes of its own. `pairs` is how many proofs of each fault are made. */
export const proofBenchmark: Benchmark = {
  name: 'proof',
  async run(report, { pairs, only }) {
    const log = pino({ level: 'error' }, pino.destination(2));
    const lent = new LentSandboxes([createProvider('docker', loadSandboxSettings(process.env, root))], {
      warm: 2,
      log,
    });
    const sandboxes = lent.portOf('bench proof', new AbortController().signal, () => {});
    const lacking = await sandboxes.missing();
    if (lacking !== null) throw lacking;
    const good = goodPackages([7, 8]);
    const usable: GoodPackage[] = [];
    const outcomes: Outcome[] = [];
    const began = performance.now();
    const say = (outcome: Outcome, done: number, all: number) =>
      report(
        `${done}/${all} ${outcome.fault ?? 'good'} (${outcome.name}): ${outcome.verdict}${outcome.step === '' ? '' : ` in ${outcome.step}`}, ${outcome.seconds} s${outcome.reason === '' ? '' : `: ${outcome.reason.slice(0, 160)}`}`,
      );
    try {
      const wanted = faults.filter(({ kind }) => kind.includes(only));
      const total = good.length + wanted.length * pairs;
      for (const one of good) {
        const outcome = outcomeOf(one.name, null, await repeated(buildTask(await one.draft()), sandboxes));
        outcomes.push(outcome);
        say(outcome, outcomes.length, total);
        // A package without checks or solution is no good one: it says nothing of faults.
        if (outcome.verdict === 'proven') usable.push(one);
      }
      let turn = 0;
      for (const fault of wanted)
        for (let pair = 0; pair < pairs; pair += 1) {
          // Skills take turns; one that the fault does not fit is passed over.
          for (let tried = 0; tried < usable.length; tried += 1) {
            const base = usable[turn++ % usable.length];
            if (base === undefined) break;
            const draft = await base.draft();
            if (!(await fault.plant(draft))) continue;
            const outcome = outcomeOf(base.name, fault.kind, await repeated(buildTask(draft), sandboxes));
            outcomes.push(outcome);
            say(outcome, outcomes.length, total);
            break;
          }
        }
    } finally {
      await lent.close();
    }
    return resultsOf(outcomes, (performance.now() - began) / 60_000);
  },
};

function resultsOf(outcomes: readonly Outcome[], minutes: number): BenchmarkResult[] {
  const result = (metric: string, value: number, unit: string, aim: string): BenchmarkResult => ({
    metric,
    value,
    unit,
    against: null,
    ratio: null,
    aim,
  });
  const planted = outcomes.filter(({ fault }) => fault !== null);
  const good = outcomes.filter(({ fault }) => fault === null);
  const share = (part: number, all: number) => (all === 0 ? Number.NaN : part / all);
  const caught = (all: readonly Outcome[]) => all.filter(({ verdict }) => verdict === 'failed').length;
  return [
    result('faults.caught', share(caught(planted), planted.length), 'share', '≥ 0.95'),
    result('false.alarms', share(caught(good), good.length), 'share', '≤ 0.02'),
    result('good.proven', share(good.filter(({ verdict }) => verdict === 'proven').length, good.length), 'share', '1'),
    result('proofs.per.minute', outcomes.length / minutes, '1/min', '–'),
    result('fault.kinds', new Set(planted.map(({ fault }) => fault)).size, 'kinds', '≥ 20'),
    ...[...new Set(planted.map(({ step }) => step))]
      .sort()
      .map((step) =>
        result(
          `caught.by.${step === '' ? 'nothing' : step}`,
          planted.filter((one) => one.step === step).length,
          'faults',
          '–',
        ),
      ),
  ];
}
