import { ForgeError } from '@cua-forge/spec/errors';

export const cancelled = () => new ForgeError('node.cancelled', 'The call of the model was cancelled.');

/** Waits, or throws `node.cancelled` at once when the signal is aborted. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds <= 0 && !signal.aborted) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  try {
    await orCancelled(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
}

/** The promise's result, or `node.cancelled` as soon as the signal is aborted, whichever comes first. */
export async function orCancelled<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {});
  if (signal.aborted) throw cancelled();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(cancelled());
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
