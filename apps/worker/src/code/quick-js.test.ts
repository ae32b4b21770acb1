import type { CodeProgram } from '@cua-forge/spec/code-port';
import type { Json, JsonObject } from '@cua-forge/spec/json';
import { afterAll, describe, expect, it } from 'vitest';
import { QuickJs } from './quick-js.ts';

const engine = new QuickJs(2);
afterAll(() => engine.close());

const run = async (source: string, more: Partial<CodeProgram> = {}, signal = new AbortController().signal) =>
  engine.run(
    {
      source,
      inputs: {},
      seed: 1,
      now: Date.UTC(2025, 0, 1, 9),
      timeoutMs: 10_000,
      memoryBytes: 16 * 1024 * 1024,
      maxOutput: 10_000,
      maxLog: 1_000,
      ...more,
    },
    signal,
  );
const value = async (source: string, inputs: JsonObject = {}): Promise<Json> => (await run(source, { inputs })).value;

describe('a program', () => {
  it('takes and gives JSON', async () => {
    expect(
      await value('return { ...inputs, sum: inputs.list.reduce((a, b) => a + b) }', {
        list: [1, 2.5],
        text: 'ä“\u2028',
      }),
    ).toEqual({
      list: [1, 2.5],
      text: 'ä“\u2028',
      sum: 3.5,
    });
    expect(await value('')).toBeNull();
    expect(await value('return undefined')).toBeNull();
    expect(await value('return [undefined, () => 1, NaN]')).toEqual([null, null, null]);
    expect(await value('return Object.keys(inputs)', JSON.parse('{"__proto__": 1}'))).toEqual(['__proto__']);
  });

  it('may wait for promises', async () => {
    expect(
      await value('const all = await Promise.all([1, 2].map(async (n) => { await null; return n * 2; })); return all;'),
    ).toEqual([2, 4]);
    await expect(run('await new Promise(() => {})')).rejects.toMatchObject({
      code: 'code.failed',
      message: expect.stringContaining('nothing settles'),
    });
    await expect(run('\nawait Promise.reject(new TypeError("no"))')).rejects.toMatchObject({
      code: 'code.failed',
      message: expect.stringContaining('TypeError: no'),
    });
  });

  it('has a clock that stands still in UTC, and chance by seed', async () => {
    const source =
      'return [Date.now(), new Date().toISOString(), new Date(2024, 6, 1).toISOString(), new Date().getTimezoneOffset(), new (Object.getPrototypeOf(new Date()).constructor)().getTime(), new Date().getHours()]';
    const now = Date.UTC(2025, 0, 1, 9);
    expect(await value(source)).toEqual([now, '2025-01-01T09:00:00.000Z', '2024-07-01T00:00:00.000Z', 0, now, 9]);
    const draw = async (seed: number) => (await run('return [Math.random(), Math.random()]', { seed })).value;
    expect(await draw(7)).toEqual(await draw(7));
    expect(await draw(7)).not.toEqual(await draw(8));
    const many = await value('return Array.from({ length: 500 }, () => Math.random())');
    const numbers = (Array.isArray(many) ? many : []).map(Number);
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((a, b) => a + b) / 500).toBeCloseTo(0.5, 1);
  });

  it('has its console lines kept, to a bound', async () => {
    const { logs } = await run(
      'console.log("a", { b: [1] }, null); console.error(new Error("x")); const o = {}; o.o = o; console.warn(o);',
    );
    expect(logs).toEqual(['a {"b":[1]} null', 'Error: x', 'something that cannot be shown']);
    const bounded = await run('for (let i = 0; i < 1e5; i += 1) console.log("line", i);', { maxLog: 20 });
    expect(bounded.logs).toEqual(['line 0', 'line 1', 'line 2… (more is left out)']);
    expect((await run('console.log("x".repeat(1e6))', { maxLog: 0 })).logs).toEqual([]);
  });
});

describe('mistakes are told with their line', () => {
  it.each<[string, number | undefined, RegExp]>([
    ['const a = 1;\n\nthrow new RangeError("bad");', 3, /line 3: RangeError: bad/],
    ['return 1 +;', 1, /line 1: SyntaxError/],
    ['let a;\nlet a;', 2, /SyntaxError/],
    ['nothing.at.all', 1, /ReferenceError: 'nothing' is not defined/],
    ['undeclared = 1', 1, /ReferenceError/],
    ['throw { odd: true }', undefined, /Thrown: \{"odd":true\}/],
    ['throw null', undefined, /Thrown: null/],
    ['return 10n', undefined, /TypeError/],
    ['const o = {}; o.o = o; return o;', undefined, /circular/],
    [
      'const e = new Error("x"); Object.defineProperty(e, "message", { get() { throw 1; } }); throw e;',
      undefined,
      /cannot be shown/,
    ],
    ['await import("fs")', undefined, /fs/],
    ['import fs from "fs";', 1, /SyntaxError/],
  ])('%s', async (source, line, message) => {
    await expect(run(source)).rejects.toMatchObject({
      code: 'code.failed',
      message: expect.stringMatching(message),
      ...(line === undefined ? {} : { place: { line } }),
    });
  });
});

describe('limits', () => {
  it.each([
    ['a loop without end', 'for (;;);'],
    ['one that catches everything', 'for (;;) { try { for (;;); } catch {} }'],
    ['promises without end', 'async function f() { for (;;) await 0; } await f();'],
    ['a job that makes a job', 'const again = () => Promise.resolve().then(again); await again();'],
    ['a regular expression that backtracks', 'return /^(a+)+$/.test("a".repeat(40) + "b");'],
  ])('of time: %s', async (_name, source) => {
    await expect(run(source, { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'code.limit',
      message: 'The program needs more than 0.2 s.',
    });
  });

  it.each([
    [
      'a text that doubles',
      'let t = "x".repeat(1000); for (;;) { t = t + t; globalThis["k" + t.length] = t.split(""); }',
    ],
    ['one large buffer', 'return new ArrayBuffer(1e9).byteLength;'],
  ])('of memory: %s', async (_name, source) => {
    await expect(run(source)).rejects.toMatchObject({
      code: 'code.limit',
      message: 'The program needs more than 17 MB of memory.',
    });
  });

  it('of memory or time, whichever comes first: a growing list', async () => {
    const source = 'const all = []; for (;;) all.push(new Array(1000).fill(1));';
    await expect(run(source, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'code.limit' });
  });

  it.each([
    ['recursion', 'const f = () => f() + 1; return f();'],
    ['a deeply nested result', 'let o = {}; for (let i = 0; i < 20000; i += 1) o = { o }; return o;'],
    ['recursion through getters and toString', 'const o = { toString() { return "" + o; } }; return "" + o;'],
    ['nested brackets', `return ${'['.repeat(20_000)}`],
  ])('of depth: %s', async (_name, source) => {
    await expect(run(source)).rejects.toMatchObject({
      code: 'code.limit',
      message: expect.stringContaining('calls within calls'),
    });
  });

  it('of output', async () => {
    await expect(run('return "x".repeat(10000)')).rejects.toMatchObject({
      code: 'code.limit',
      message: expect.stringContaining('10000 characters'),
    });
    expect((await run('return "x".repeat(9998)')).value).toHaveLength(9_998);
  });

  it('leave the engine well for the next program', async () => {
    await expect(run('for (;;);', { timeoutMs: 50 })).rejects.toMatchObject({ code: 'code.limit' });
    expect(await value('return 1 + 1')).toBe(2);
  });
});

describe('nothing of the host is there', () => {
  it('by name', async () => {
    const names = [
      'process',
      'require',
      'module',
      'fetch',
      'XMLHttpRequest',
      'WebSocket',
      'setTimeout',
      'setInterval',
      'Deno',
      'Buffer',
      'WebAssembly',
      'SharedWorker',
      'postMessage',
      'performance',
      'std',
      'os',
      'scriptArgs',
      'Worker',
    ];
    expect(await value('return inputs.names.filter((name) => name in globalThis)', { names })).toEqual([]);
  });

  it('through constructors, prototypes or the prelude', async () => {
    expect(await value('return (function () {}).constructor("return typeof process")()')).toBe('undefined');
    expect(
      await value(
        'return [typeof inputs.constructor.constructor("return this")().process, Object.getPrototypeOf(inputs) === Object.prototype]',
      ),
    ).toEqual(['undefined', true]);
    expect(await value('return [typeof start, typeof report, typeof settle, typeof stringify]')).toEqual(
      Array(4).fill('undefined'),
    );
    expect(await value('return typeof (0, eval)("this").process')).toBe('undefined');
    // Breaking out of the function leads nowhere either.
    expect(await value('}); (async function () { return typeof process;')).toBe('undefined');
  });

  it('and what a program changes in its own world concerns nobody else', async () => {
    const vandal = `
      Object.prototype.toJSON = () => 'gone';
      Array.prototype.toString = Array.prototype.join = Array.prototype.push = () => { throw 1; };
      String.prototype.slice = () => 'gone';
      Promise.prototype.then = () => 'gone';
      JSON.stringify = () => '{';
      JSON.parse = () => 'gone';
      Math.random = Date.now = () => 5;
      globalThis.Error = undefined;
      console.log('x');
      return 'done';`;
    expect(await run(vandal)).toEqual({ value: 'done', logs: [] });
    expect(await value('return [{ a: 1 }, [1, 2].join(), Math.random() === 5]')).toEqual([{ a: 1 }, '1,2', false]);
    expect(Object.hasOwn(Object.prototype, 'toJSON')).toBe(false);
    const proto = await value('return JSON.parse(\'{"__proto__": {"polluted": true}}\')');
    // Members of that name are dropped when the result is read.
    expect(JSON.stringify(proto)).toBe('{}');
    expect('polluted' in {}).toBe(false);
    expect(await value('globalThis.left = 1; return 0')).toBe(0);
    expect(await value('return typeof left')).toBe('undefined');
  });
});

describe('cancellation', () => {
  it('stops a program in the middle of a loop', async () => {
    const stop = new AbortController();
    const running = run('for (;;);', { timeoutMs: 60_000 }, stop.signal);
    setTimeout(() => stop.abort(), 20);
    await expect(running).rejects.toMatchObject({ code: 'node.cancelled' });
  });

  it('takes a program that waits for its turn out of the line, and lets the others in', async () => {
    const narrow = new QuickJs(1);
    const program = { inputs: {}, seed: 1, now: 0, timeoutMs: 60_000, memoryBytes: 16e6, maxOutput: 100, maxLog: 0 };
    const [first, second] = [new AbortController(), new AbortController()];
    const running = narrow.run({ ...program, source: 'for (;;);' }, first.signal);
    const waiting = narrow.run({ ...program, source: 'return 1' }, second.signal);
    const last = narrow.run({ ...program, source: 'return 2' }, new AbortController().signal);
    second.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'node.cancelled' });
    first.abort();
    await expect(running).rejects.toMatchObject({ code: 'node.cancelled' });
    expect(await last).toEqual({ value: 2, logs: [] });
    await narrow.close();
  });
});
