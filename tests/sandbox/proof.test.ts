import { lentGround } from '@cua-forge/proof/lent-ground';
import { prove } from '@cua-forge/proof/prove';
import { readSubject } from '@cua-forge/proof/subject';
import { type BuiltTask, buildTask, sampleTask, type TaskDraft } from '@cua-forge/proof/testing/sample-task';
import type { ProofRecord } from '@cua-forge/spec/proof';
import { noOffice } from '@cua-forge/testing/execute-context';
import { LentSandboxes } from '@cua-forge/worker/sandbox/lent-sandboxes';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faults } from '../../bench/proof/faults.ts';
import { taskGenerator } from '../../scripts/lib/generate-task.ts';
import { type Desks, prepareDesks } from './prepare.ts';

let desks: Desks;
beforeAll(async () => {
  desks = await prepareDesks();
}, 1_500_000);
afterAll(() => desks?.stop(), 120_000);

const log = pino({ level: 'silent' });

const proofOn = (name: 'docker' | 'bubblewrap', draft: TaskDraft) => proofOf(name, buildTask(draft));

async function proofOf(name: 'docker' | 'bubblewrap', task: Pick<BuiltTask, 'package' | 'read'>) {
  const signal = new AbortController().signal;
  const lent = new LentSandboxes([desks[name]], { warm: 0, log });
  try {
    const subject = await readSubject(task.package, task.read);
    const ground = lentGround({ sandboxes: lent.portOf('proof test', signal, () => {}) });
    // Whatever is converted is so by the sandbox's own LibreOffice.
    return await prove(subject, ground, { office: noOffice, signal, progress: () => {} });
  } finally {
    await lent.close();
  }
}

const failedStep = ({ steps }: ProofRecord) => steps.find(({ result }) => result === 'failed')?.step;

describe('a proof', () => {
  it.each(['docker', 'bubblewrap'] as const)('of a sound package holds in every step with %s', async (name) => {
    const { record, screenshot } = await proofOn(name, await sampleTask());
    expect(record.steps.filter(({ result }) => result !== 'held')).toEqual([]);
    expect(record).toMatchObject({ verdict: 'proven', reason: null, provider: name, screenshot: 'proof/prepared.png' });
    expect(Buffer.from(screenshot ?? []).toString('latin1', 1, 4)).toBe('PNG');
    expect(await desks[name].list()).toEqual([]);
  });

  it('of a package of a shipped skill holds in every step', async () => {
    const { pack, read } = await taskGenerator('calc-monthly-summary')(1);
    const { record } = await proofOf('docker', { package: pack, read });
    expect(record.steps.filter(({ result }) => result !== 'held')).toEqual([]);
    expect(record.verdict).toBe('proven');
  });

  const planted: [string, ReturnType<typeof failedStep>[]][] = [
    ['the finished file is in a git history', ['visible']],
    ['the finished file lies in a packed archive', ['visible']],
    ['somebody else has the file open', ['setup']],
    ['a program takes the work back', ['solution', 'equal-solutions', 'sensitivity', 'mutants']],
    ['the setup writes the date of the day into a file', ['another-day']],
    ['a check takes any number', ['sensitivity']],
    ['a check wants one literal formula', ['parts']],
    ['typed values pass where formulas are asked for', ['equal-solutions']],
  ];
  it.each(planted)('finds that %s', async (kind, steps) => {
    const draft = await sampleTask();
    expect(await faults.find((fault) => fault.kind === kind)?.plant(draft)).toBe(true);
    const { record } = await proofOn('docker', draft);
    expect(record.verdict, record.reason ?? '').toBe('failed');
    expect(steps).toContain(failedStep(record));
  });
});
