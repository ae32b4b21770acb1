import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { FailureNotice } from './states.tsx';

interface MakeDialogProps {
  title: string;
  /** Words of the button that makes it, and while it does. */
  action: readonly [before: string, meanwhile: string];
  /** Beside the buttons: what is still wanted, or what will happen. */
  hint?: ReactNode;
  /** Whether what is filled in can be made. */
  ready?: boolean;
  /** Makes it and tells whoever opened the dialog. What it throws is shown, and the dialog stays as it was filled in. */
  make(): Promise<void>;
  onClose(): void;
  children: ReactNode;
}

/** A dialog in which something is filled in and then made. */
export function MakeDialog({ title, action, hint, ready = true, make, onClose, children }: MakeDialogProps) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ForgeError | null>(null);
  const submit = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    try {
      await make();
    } catch (thrown) {
      setError(toForgeError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => void submit()}
      footer={
        <>
          <span className="grow hint">{hint}</span>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!ready || busy}>
            {action[busy ? 1 : 0]}
          </button>
        </>
      }
    >
      {error !== null && <FailureNotice failure={error} />}
      {children}
    </Dialog>
  );
}
