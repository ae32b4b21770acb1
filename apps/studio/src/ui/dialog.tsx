import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

interface DialogProps {
  title: string;
  onClose(): void;
  /** Enter in a field, or the first submit button of the footer. */
  onSubmit?(): void;
  footer?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** A modal dialog: the browser's own, so that focus stays inside and Escape closes. */
export function Dialog({ title, onClose, onSubmit, footer, wide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const heading = useId();
  // Closed while it is still part of the page, the browser gives the focus back to what opened it.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (dialog !== null && !dialog.open) {
      dialog.showModal();
      // The browser would choose the button that closes.
      dialog.querySelector<HTMLElement>('.body :is(input, select, textarea, button):not(:disabled)')?.focus();
    }
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={wide ? 'dialog wide' : 'dialog'}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <form
        method="dialog"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" className="button quiet square" aria-label="Close" onClick={onClose}>
            <X size={16} aria-hidden />
          </button>
        </header>
        <div className="body">{children}</div>
        {footer !== undefined && <footer>{footer}</footer>}
      </form>
    </dialog>
  );
}
