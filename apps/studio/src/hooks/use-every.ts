import { useEffect, useRef } from 'react';

/** Does something every so many milliseconds, while it is wanted and the page is in view. */
export function useEvery(milliseconds: number, work: () => void, wanted: boolean): void {
  const latest = useRef(work);
  latest.current = work;
  useEffect(() => {
    if (!wanted) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, milliseconds);
    return () => clearInterval(timer);
  }, [milliseconds, wanted]);
}
