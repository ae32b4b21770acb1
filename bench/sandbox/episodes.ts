import { lentGround } from '@cua-forge/proof/lent-ground';
import { readSubject } from '@cua-forge/proof/subject';
import { buildTask } from '@cua-forge/proof/testing/sample-task';
import type { SandboxSettings } from '@cua-forge/sandbox/settings';
import type { Sandbox, SandboxProvider } from '@cua-forge/spec/sandbox-port';
import { createProvider } from '@cua-forge/worker/sandbox/create-providers';
import { LentSandboxes } from '@cua-forge/worker/sandbox/lent-sandboxes';
import pino from 'pino';
import { PackageProver } from '../../scripts/lib/package-prover.ts';
import type { BenchmarkResult } from '../benchmark.ts';
import { goodPackages } from '../proof/good-packages.ts';
import { percentile, single, timed } from './measure.ts';

type Report = (line: string) => void;

/** Setup of a package of each shipped skill, with every condition looked at. */
export async function setups(
  settings: SandboxSettings,
  report: Report,
  wanted: (name: string) => boolean,
): Promise<BenchmarkResult[]> {
  const lent = new LentSandboxes([createProvider('docker', settings)], {
    warm: 1,
    log: pino({ level: 'error' }, pino.destination(2)),
  });
  const signal = new AbortController().signal;
  const sandboxes = lent.portOf('bench sandbox', signal, () => undefined);
  const found: BenchmarkResult[] = [];
  try {
    for (const one of goodPackages([7]).filter(({ name }) => wanted(`setup.${name}`) && name !== 'sample')) {
      const task = buildTask(await one.draft());
      const subject = await readSubject(task.package, task.read);
      const [skill = ''] = one.name.split(' ');
      await lentGround({ sandboxes }).use(subject, {}, async (desk) => {
        const ms = await timed(() => desk.prepare(signal));
        found.push(single(`setup.${skill}`, ms, 'ms'));
        report(`setup of ${skill}: ${ms.toFixed(0)} ms`);
      });
    }
  } finally {
    await lent.close();
  }
  return found;
}

/** Proofs of a package of the shortest skill, one after the other. */
export async function proofs(count: number, report: Report): Promise<BenchmarkResult[]> {
  const prover = new PackageProver({ warm: 2 });
  const good = goodPackages([7]).find(({ name }) => name.startsWith('calc-monthly-summary'));
  if (good === undefined) return [];
  try {
    const task = buildTask(await good.draft());
    const ms = await timed(async () => {
      for (let done = 0; done < count; done += 1) {
        const { verdict, seconds } = await prover.prove(task, `bench sandbox ${done}`);
        report(`proof ${done + 1} of ${count}: ${verdict}, ${seconds} s`);
      }
    });
    return [single('proofs.per.minute', (count * 60_000) / ms, '1/min')];
  } finally {
    await prover.close();
  }
}

/** How many desktops with Calc open serve at once: each answers a click within 20 ms and a screenshot within 500 ms, at p95 over all of them. */
export async function density(provider: SandboxProvider, most: number, report: Report): Promise<BenchmarkResult> {
  const desks: Sandbox[] = [];
  let held = 0;
  try {
    for (let count = 1; count <= most; count += 1) {
      const desk = await provider.start({ lease: 'bench density' });
      desks.push(desk);
      await desk.launch(['soffice', '--calc', '--norestore']);
      await desk.waitForWindow({ title: 'Calc' }, { timeoutMs: 120_000 });
      await desk.waitForStill({ timeoutMs: 60_000 });
      const [clicks, shots]: [number[], number[]] = [[], []];
      // Each works by itself, all at the same time.
      await Promise.all(
        desks.map(async (one) => {
          for (let turn = 0; turn < 10; turn += 1) {
            clicks.push(await timed(() => one.click({ x: 400 + turn, y: 400 })));
            shots.push(await timed(() => one.screenshot()));
          }
        }),
      );
      const [click, shot] = [percentile(clicks, 0.95), percentile(shots, 0.95)];
      report(`density: ${count} at once, click ${click.toFixed(1)} ms, screenshot ${shot.toFixed(0)} ms`);
      if (click > 20 || shot > 500) break;
      held = count;
    }
  } finally {
    await Promise.all(desks.map((one) => one.close()));
  }
  return single('density', held, 'sandboxes', `≥ 6 (of at most ${most})`);
}
