interface PreludeSettings {
  seed: number;
  maxOutput: number;
  maxLog: number;
}

/**
 * What is evaluated before a program: the console and Math.random as the program finds them. Its value is `start(program, inputs as JSON)`,
 * which answers `collect()`; that answers what came out once no job is left: `['value', result as JSON, console lines as JSON]`,
 * `['error', name, message, stack]`, `['output']` or `['unsettled']`. Whatever is used after the program began was taken before.
 */
export const prelude = ({ seed, maxOutput, maxLog }: PreludeSettings): string => `
(() => {
  'use strict';
  const { stringify, parse } = JSON;
  const { apply, defineProperty } = Reflect;
  const { slice } = String.prototype;
  const { imul } = Math;
  const text = String;
  const Failure = Error;
  const logs = [];
  let room = ${maxLog};

  const shown = (value) => {
    try {
      if (typeof value === 'string') return value;
      if (value instanceof Failure) return value.name + ': ' + value.message;
      return stringify(value) ?? text(value);
    } catch {
      return 'something that cannot be shown';
    }
  };
  const write = (...values) => {
    if (room <= 0) return;
    let line = '';
    for (let index = 0; index < values.length; index += 1) line += (index === 0 ? '' : ' ') + shown(values[index]);
    const rest = room - line.length - 1;
    defineProperty(logs, logs.length, {
      value: rest > 0 ? line : apply(slice, line, [0, room]) + '… (more is left out)',
      enumerable: true,
    });
    room = rest;
  };
  defineProperty(globalThis, 'console', {
    value: { log: write, info: write, warn: write, error: write, debug: write },
    writable: true,
    configurable: true,
  });

  // mulberry32: every seed has its own sequence, the same everywhere.
  let state = ${seed >>> 0};
  Math.random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };

  let report = ['unsettled'];
  const failed = (thrown) =>
    thrown instanceof Failure
      ? ['error', text(thrown.name), apply(slice, text(thrown.message), [0, 2000]), text(thrown.stack)]
      : ['error', 'Thrown', apply(slice, shown(thrown), [0, 2000]), ''];
  const settle = async (program, given) => {
    try {
      const made = stringify(await program(parse(given))) ?? 'null';
      report = made.length > ${maxOutput} ? ['output'] : ['value', made, stringify(logs)];
    } catch (thrown) {
      try {
        report = failed(thrown);
      } catch {
        report = ['error', 'Error', 'The program threw something that cannot be shown.', ''];
      }
    }
  };
  return (program, given) => {
    settle(program, given);
    return () => report;
  };
})()`;
