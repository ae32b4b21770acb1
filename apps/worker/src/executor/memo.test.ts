import type { MetaStore } from '@cua-forge/spec/store-port';
import { describe, expect, it } from 'vitest';
import { Memo } from './memo.ts';
import type { Values } from './values.ts';

const memo = (): Memo => new Memo({} as MetaStore, {} as Values);
const never = new AbortController().signal;

describe('Memo.inTurn', () => {
  it('lets one work at a time for each key, in the order they came, also after a failure', async () => {
    const turns = memo();
    const log: string[] = [];
    const work =
      (name: string, fail = false) =>
      async (): Promise<string> => {
        log.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`${name} ends`);
        if (fail) throw new Error(name);
        return name;
      };
    const all = await Promise.allSettled([
      turns.inTurn('k', never, work('a', true)),
      turns.inTurn('k', never, work('b')),
      turns.inTurn('k', never, work('c')),
    ]);
    expect(all.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('does not hold up other keys', async () => {
    const turns = memo();
    void turns.inTurn('k', never, () => new Promise(() => undefined));
    await expect(turns.inTurn('other', never, async () => 'done')).resolves.toBe('done');
  });

  it('leaves the line when it is aborted; who comes after still waits for who was before', async () => {
    const turns = memo();
    let release = (): void => undefined;
    const first = turns.inTurn('k', never, () => new Promise<void>((resolve) => (release = resolve)));
    const stop = new AbortController();
    const second = turns.inTurn('k', stop.signal, async () => 'second');
    let third = false;
    const last = turns.inTurn('k', never, async () => {
      third = true;
    });
    stop.abort(new Error('stopped'));
    await expect(second).rejects.toThrow('stopped');
    expect(third).toBe(false);
    release();
    await Promise.all([first, last]);
    expect(third).toBe(true);
  });
});
