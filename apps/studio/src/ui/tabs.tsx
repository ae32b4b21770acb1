import type { ReactNode } from 'react';

interface TabsProps<T extends string> {
  label: string;
  value: T;
  tabs: readonly { id: NoInfer<T>; label: ReactNode }[];
  onChange(id: NoInfer<T>): void;
}

/** A row of tabs; arrow keys go from one to the next. */
export function Tabs<T extends string>({ label, value, tabs, onChange }: TabsProps<T>) {
  const move = (step: number, from: HTMLElement) => {
    const at = tabs.findIndex((tab) => tab.id === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    onChange(next.id);
    const buttons = from.querySelectorAll<HTMLElement>('[role="tab"]');
    buttons[tabs.indexOf(next)]?.focus();
  };
  return (
    <div
      className="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') move(1, event.currentTarget);
        if (event.key === 'ArrowLeft') move(-1, event.currentTarget);
      }}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          className="tab"
          aria-selected={tab.id === value}
          tabIndex={tab.id === value ? 0 : -1}
          onClick={() => onChange(tab.id)}
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
