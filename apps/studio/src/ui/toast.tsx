import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { create } from 'zustand';

interface Toast {
  id: number;
  tone: 'ok' | 'bad';
  text: string;
  fix: string | undefined;
}

const useToasts = create<{ toasts: Toast[] }>(() => ({ toasts: [] }));
let lastId = 0;

function show(tone: Toast['tone'], text: string, fix?: string): void {
  lastId += 1;
  const id = lastId;
  useToasts.setState((state) => ({ toasts: [...state.toasts.slice(-2), { id, tone, text, fix }] }));
  setTimeout(() => dismiss(id), tone === 'ok' ? 3_500 : 10_000);
}

const dismiss = (id: number) =>
  useToasts.setState((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }));

export const toastOk = (text: string): void => show('ok', text);
export function toastError(thrown: unknown): void {
  const error: ForgeError = toForgeError(thrown);
  show('bad', error.message, error.fix);
}

export function Toasts() {
  const toasts = useToasts((state) => state.toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {toasts.map((toast) => (
        <div key={toast.id} className={`toast ${toast.tone}`}>
          {toast.tone === 'ok' ? <CircleCheck size={16} aria-hidden /> : <CircleAlert size={16} aria-hidden />}
          <div className="grow">
            <div>{toast.text}</div>
            {toast.fix !== undefined && <div className="hint">{toast.fix}</div>}
          </div>
          <button
            type="button"
            className="button quiet compact square"
            aria-label="Dismiss"
            onClick={() => dismiss(toast.id)}
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
