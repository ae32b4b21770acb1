// Plain JavaScript, since a thread starts without the loader that the rest is read with.
import { parentPort } from 'node:worker_threads';
import variant from '@jitl/quickjs-wasmfile-release-sync';
import { newQuickJSWASMModuleFromVariant } from 'quickjs-emscripten-core';

/**
 * How a program ended: `{end: 'value', text, logs}`, `{end: 'error', name, message, line}`, or the limit it ran into:
 * `{end: 'time' | 'memory' | 'stack' | 'output' | 'unsettled' | 'broken'}`. A `worn` thread is not used again: a limit may have left its engine broken.
 *
 * @typedef {import('quickjs-emscripten-core').QuickJSContext} Context
 * @typedef {import('quickjs-emscripten-core').QuickJSRuntime} Runtime
 * @typedef {import('quickjs-emscripten-core').QuickJSHandle} Handle
 * @typedef {import('@cua-forge/spec/code-port').CodeProgram & {prelude: string}} Program
 */

const STACK_BYTES = 256 * 1024;

// Everything in this thread lives in UTC: the engine asks the host's Date for the time zone.
for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'])
  Object.defineProperty(Date.prototype, `get${part}`, { value: Date.prototype[`getUTC${part}`] });
Object.defineProperty(Date.prototype, 'getTimezoneOffset', { value: () => 0 });

const quickJs = await newQuickJSWASMModuleFromVariant(variant);

/** Runs one program in an engine of its own, whose clock stands at `program.now`. @param {Program} program */
function run(program) {
  const clock = Date.now;
  Date.now = () => program.now;
  try {
    return runFrozen(program);
  } catch (thrown) {
    // The engine's own stack or memory gave way before its limits did.
    return { end: thrown instanceof RangeError ? 'stack' : 'broken', worn: true };
  } finally {
    Date.now = clock;
  }
}

/** @param {Program} program */
function runFrozen(program) {
  const runtime = quickJs.newRuntime();
  runtime.setMemoryLimit(program.memoryBytes);
  runtime.setMaxStackSize(STACK_BYTES);
  const deadline = performance.now() + program.timeoutMs;
  let late = false;
  const isLate = () => {
    late ||= performance.now() > deadline;
    return late;
  };
  runtime.setInterruptHandler(isLate);
  const context = runtime.newContext();
  const ending = execute(context, runtime, program, isLate);
  const whole = ending.end === 'value' || ending.end === 'error';
  return { ...(late ? { end: 'time' } : ending), worn: late || !whole || !disposed(context, runtime) };
}

/** @param {{dispose(): void}[]} parts */
function disposed(...parts) {
  try {
    for (const part of parts) part.dispose();
    return true;
  } catch {
    return false;
  }
}

/** @param {Context} context @param {Runtime} runtime @param {Program} program @param {() => boolean} isLate */
function execute(context, runtime, { prelude, source, inputs }, isLate) {
  /** @type {Handle[]} */
  const handles = [];
  const keep = (/** @type {Handle} */ handle) => {
    handles.push(handle);
    return handle;
  };
  try {
    const prepared = context.evalCode(prelude, 'prelude.js');
    if (prepared.error) return failureOf(context, keep(prepared.error));
    const start = keep(prepared.value);
    // On the program's own first line, so that lines are numbered as its author sees them.
    const compiled = context.evalCode(`(async function (inputs) {'use strict';${source}\n})`, 'code.js');
    if (compiled.error) return failureOf(context, keep(compiled.error));
    const program = keep(compiled.value);
    const given = keep(context.newString(JSON.stringify(inputs)));
    const started = context.callFunction(start, context.undefined, program, given);
    if (started.error) return failureOf(context, keep(started.error));
    const collect = keep(started.value);
    while (runtime.hasPendingJob() && !isLate()) {
      const done = runtime.executePendingJobs(1);
      if (done.error) return failureOf(context, keep(done.error));
    }
    const collected = context.callFunction(collect, context.undefined);
    if (collected.error) return failureOf(context, keep(collected.error));
    return collectedOf(context, keep(collected.value));
  } finally {
    disposed(...handles);
  }
}

/** What the prelude reports. @param {Context} context @param {Handle} report */
function collectedOf(context, report) {
  const part = (/** @type {number} */ index) => context.getProp(report, index).consume((one) => context.getString(one));
  const end = part(0);
  if (end === 'value') return { end, text: part(1), logs: part(2) };
  return end === 'error' ? endOf(part(1), part(2), part(3)) : { end };
}

/** @param {Context} context @param {Handle} error */
function failureOf(context, error) {
  const part = (/** @type {string} */ name) =>
    context
      .getProp(error, name)
      .consume((one) => (context.typeof(one) === 'string' ? context.getString(one).slice(0, 2_000) : ''));
  return endOf(part('name'), part('message'), part('stack'));
}

/** @param {string} name @param {string} message @param {string} stack */
function endOf(name, message, stack) {
  if (name === 'InternalError' && message === 'out of memory') return { end: 'memory' };
  if (name === 'InternalError' && message === 'stack overflow') return { end: 'stack' };
  const line = /code\.js:(\d+)/.exec(stack)?.[1];
  return { end: 'error', name, message, line: line === undefined ? null : Number(line) };
}

parentPort?.on('message', (program) => parentPort?.postMessage(run(program)));
