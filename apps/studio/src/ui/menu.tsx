import { type ReactNode, useEffect, useId, useRef, useState } from 'react';

interface MenuProps {
  label: string;
  trigger: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A button with a list of actions under it; arrow keys move in the list, Escape and a click elsewhere close it. */
export function Menu({ label, trigger, className = 'button', children }: MenuProps) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!open) return;
    root.current?.querySelector<HTMLElement>('.menu-item:not(:disabled)')?.focus();
    const close = (event: PointerEvent) => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) setOpen(false);
    };
    window.addEventListener('pointerdown', close);
    return () => window.removeEventListener('pointerdown', close);
  }, [open]);
  const toTrigger = () => root.current?.querySelector<HTMLElement>('button')?.focus();
  const move = (step: number) => {
    const items = [...(root.current?.querySelectorAll<HTMLElement>('.menu-item:not(:disabled)') ?? [])];
    const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1;
    items[(at + step + items.length) % items.length]?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hears the keys of the buttons inside
    <div
      ref={root}
      className="menu"
      onKeyDown={(event) => {
        if (!open) return;
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
          event.preventDefault();
          move(event.key === 'ArrowDown' ? 1 : -1);
        } else if (event.key === 'Escape') {
          event.stopPropagation();
          setOpen(false);
          toTrigger();
        }
      }}
    >
      <button
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </button>
      {open && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: hears the clicks of the buttons inside, which keys make too
        <div
          id={id}
          className="menu-list"
          role="menu"
          onClick={() => {
            // What is chosen may open a dialog, which gives the focus back to where it was.
            if (root.current?.contains(document.activeElement)) toTrigger();
            setOpen(false);
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}

interface MenuItemProps {
  onSelect(): void;
  icon?: ReactNode;
  disabled?: boolean;
  keys?: string;
  children: ReactNode;
}

export function MenuItem({ onSelect, icon, disabled = false, keys, children }: MenuItemProps) {
  return (
    <button type="button" role="menuitem" className="menu-item" disabled={disabled} onClick={onSelect}>
      {icon}
      <span>{children}</span>
      {keys !== undefined && <kbd>{keys}</kbd>}
    </button>
  );
}
