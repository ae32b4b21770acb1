import type { ReactNode } from 'react';
import { navigate, pathOf, type Route } from '../route.ts';

interface LinkProps {
  to: Route;
  /** What is to be looked at there: the id of a node of a run. */
  hash?: string;
  className?: string;
  current?: boolean;
  /** Called before the page changes. */
  onFollow?(): void;
  children: ReactNode;
}

/** A link inside the studio; with a modifier key it opens a tab of its own, as links do. */
export function Link({ to, hash, className, current = false, onFollow, children }: LinkProps) {
  const href = hash === undefined ? pathOf(to) : `${pathOf(to)}#${encodeURIComponent(hash)}`;
  return (
    <a
      href={href}
      className={className}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        onFollow?.();
        navigate(to);
        if (hash !== undefined) history.replaceState(null, '', href);
      }}
    >
      {children}
    </a>
  );
}
