import type { ReactNode } from 'react';
import { navigate, pathOf, type Route } from '../route.ts';

interface LinkProps {
  to: Route;
  className?: string;
  current?: boolean;
  children: ReactNode;
}

/** A link inside the studio; with a modifier key it opens a tab of its own, as links do. */
export function Link({ to, className, current = false, children }: LinkProps) {
  return (
    <a
      href={pathOf(to)}
      className={className}
      aria-current={current ? 'page' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
