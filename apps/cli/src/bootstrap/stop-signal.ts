const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const names = { SIGINT: 'Ctrl+C', SIGTERM: 'asked to end', SIGHUP: 'the terminal was closed' } as const;

/**
 * Resolves at the first signal that asks this process to end. A second one, a second or more later, ends it at once with 130
 * (what it started still ends); closer ones are the same keystroke, passed on by npm.
 */
export function waitForStop(): Promise<string> {
  let first = 0;
  return new Promise((resolve) => {
    for (const signal of signals) {
      process.on(signal, () => {
        if (first === 0) {
          first = Date.now();
          resolve(names[signal]);
        } else if (Date.now() - first > 1_000) process.exit(130);
      });
    }
  });
}
