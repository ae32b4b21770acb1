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
  const job = (name: string) => commits.run(() => log.push(name)).then(() => log.push(`${name} told`));
  return { log, commits, job };
}

describe('GroupCommit', () => {
  it('commits the jobs of one tick together and tells each afterwards', async () => {
    const { log, job } = recorded();
    await Promise.all([job('a'), job('b')]);
    expect(log).toEqual(['begin', 'a', 'b', 'commit', 'signal', 'a told', 'b told']);
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
