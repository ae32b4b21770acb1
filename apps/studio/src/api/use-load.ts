import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { type DependencyList, useCallback, useEffect, useRef, useState } from 'react';

export type Load<T> = { status: 'loading' } | { status: 'failed'; error: ForgeError } | { status: 'loaded'; value: T };

/** Loads something when the dependencies change; an answer that comes after a newer request is dropped. What is `ready` is shown first instead. */
export function useLoad<T>(
  load: () => Promise<T>,
  dependencies: DependencyList,
  ready?: () => T | undefined,
): [Load<T>, () => void] {
  const [state, setState] = useState<Load<T>>(() => {
    const value = ready?.();
    return value === undefined ? { status: 'loading' } : { status: 'loaded', value };
  });
  const given = useRef(state.status === 'loaded');
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller names what `load` depends on
  useEffect(() => {
    if (given.current) {
      given.current = false;
      return;
    }
    let current = true;
    setState((before) => (before.status === 'loaded' && round > 0 ? before : { status: 'loading' }));
    load().then(
      (value) => current && setState({ status: 'loaded', value }),
      (error: unknown) => current && setState({ status: 'failed', error: toForgeError(error) }),
    );
    return () => {
      current = false;
    };
  }, [...dependencies, round]);
  return [state, useCallback(() => setRound((before) => before + 1), [])];
}
