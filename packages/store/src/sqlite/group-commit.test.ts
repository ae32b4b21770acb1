import { ForgeError } from '@cua-forge/spec/errors';
import { describe, expect, it } from 'vitest';
import { GroupCommit } from './group-commit.ts';

function recorded(begin: () => void = () => undefined) {
  const log: string[] = [];
  const commits = new GroupCommit(
    (work) => {
      begin();
      log.push('begin');
      try {
        work();
        log.push('commit');
      } catch (thrown) {
        log.push('rollback');
        throw thrown;
      }
    },
    () => log.push('signal'),
  );
  const job = (name: string, patience?: number) =>
    commits.run(() => log.push(name), patience).then(() => log.push(`${name} told`));
  return { log, commits, job };
}

describe('GroupCommit', () => {
  it('commits the jobs of one tick together and tells each afterwards', async () => {
    const { log, job } = recorded();
    await Promise.all([job('a'), job('b')]);
    expect(log).toEqual(['begin', 'a', 'b', 'commit', 'signal', 'a told', 'b told']);
  });

  it('lets a patient job wait for others of later ticks, and go with the first that does not wait', async () => {
    const { log, job } = recorded();
    const patient = [job('a', 60_000)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    patient.push(job('b', 60_000));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(log).toEqual([]);
    await Promise.all([...patient, job('c')]);
    expect(log.slice(0, 6)).toEqual(['begin', 'a', 'b', 'c', 'commit', 'signal']);
  });

  it('commits a patient job for which nobody comes', async () => {
    const { log, job } = recorded();
    await job('a', 1);
    expect(log).toEqual(['begin', 'a', 'commit', 'signal', 'a told']);
  });

  it('commits the patient ones when it is closed', async () => {
    const { log, commits, job } = recorded();
    const patient = job('a', 60_000);
    commits.close();
    await patient;
    expect(log).toContain('commit');
  });

  it('commits the others alone when one throws', async () => {
    const { log, commits, job } = recorded();
    const bad = commits.run(() => {
      throw new ForgeError('document.conflict', 'too old');
    });
    const results = await Promise.allSettled([job('a'), bad, job('b')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { code: 'document.conflict' } });
    expect(log.filter((entry) => entry === 'commit')).toHaveLength(2);
    expect(log.slice(0, 2)).toEqual(['begin', 'rollback']);
  });

  it('does not wait once for each job when the database is locked', async () => {
    let begins = 0;
    const { job } = recorded(() => {
      begins += 1;
      throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' });
    });
    const results = await Promise.allSettled([job('a'), job('b'), job('c')]);
    expect(results.map((result) => result.status === 'rejected' && result.reason.code)).toEqual(
      Array(3).fill('store.busy'),
    );
    expect(begins).toBe(1);
  });
});
