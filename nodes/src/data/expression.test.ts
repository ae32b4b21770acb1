import { describe, expect, it } from 'vitest';
import { compileExpression, isTruthy } from './expression.ts';

describe('compileExpression', () => {
  it('gives plain JSON, and null for no result', async () => {
    expect(
      await compileExpression('items[price > 2].name').evaluate({
        items: [
          { name: 'a', price: 1 },
          { name: 'b', price: 3 },
          { name: 'c', price: 4 },
        ],
      }),
    ).toEqual(['b', 'c']);
    expect(await compileExpression('nothing').evaluate({})).toBeNull();
  });

  it('names line and column of a syntax error', () => {
    expect(() => compileExpression('{\n  "a": 1,\n  "b": )\n}')).toThrow(/line 3, column \d+/);
  });

  it('says what is wrong with a text that does not end', () => {
    expect(() => compileExpression('a & "open')).toThrow(/could not be compiled at line 1.*S0101/);
  });

  it('stops endless work in time and depth', async () => {
    await expect(
      compileExpression('($f := function($n) { $f($n + 1) + 1 }; $f(1))').evaluate({}),
    ).rejects.toMatchObject({ code: 'expression.invalid' });
    await expect(compileExpression('($f := function($n) { $f($n + 1) }; $f(1))').evaluate({})).rejects.toMatchObject({
      code: 'expression.invalid',
    });
  }, 20_000);

  it('refuses functions that are not deterministic', async () => {
    for (const call of ['$random()', '$now()', '$millis()', '$shuffle([1,2])', '$eval("1")']) {
      await expect(compileExpression(call).evaluate({})).rejects.toMatchObject({ code: 'expression.invalid' });
    }
  });

  it('reports failures of the evaluation', async () => {
    await expect(compileExpression('a + 1').evaluate({ a: 'x' })).rejects.toThrow(/evaluated at line 1/);
  });
});

describe('isTruthy', () => {
  it('follows JSONata', () => {
    expect([true, 1, 'a', [0, 1], { a: 1 }].map(isTruthy)).toEqual([true, true, true, true, true]);
    expect([false, 0, '', null, [], [0], {}].map(isTruthy)).toEqual(Array(7).fill(false));
  });
});
