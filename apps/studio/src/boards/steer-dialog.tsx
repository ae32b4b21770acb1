import type { ResumeBatch } from '@cua-forge/spec/api';
import { type ForgeError, toForgeError } from '@cua-forge/spec/errors';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { useState } from 'react';
import { api } from '../api/api-client.ts';
import { Dialog } from '../ui/dialog.tsx';
import { FailureNotice } from '../ui/states.tsx';
import { NumberField, numberOf } from './number-field.tsx';

interface SteerDialogProps {
  batch: BatchRecord;
  onDone(): void;
  onClose(): void;
}

/** Another budget and window. A batch that rests goes on with them. */
export function SteerDialog({ batch, onDone, onClose }: SteerDialogProps) {
  const [window, setWindow] = useState(String(batch.window));
  const [usd, setUsd] = useState(batch.budget.usd === null ? '' : String(batch.budget.usd));
  const [tokens, setTokens] = useState(batch.budget.tokens === null ? '' : String(batch.budget.tokens));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ForgeError | null>(null);
  const running = batch.state === 'running' || batch.state === 'queued';

  const wanted = {
    window: numberOf(window, { whole: true, least: 1 }),
    usd: numberOf(usd),
    tokens: numberOf(tokens, { whole: true, least: 1 }),
  };
  const windowOk = typeof wanted.window === 'number' && wanted.window <= 200;
  const ready = windowOk && wanted.usd !== undefined && wanted.tokens !== undefined;
  const apply = async () => {
    if (!ready || busy) return;
    setBusy(true);
    setError(null);
    const change: ResumeBatch = {
      budget: { usd: wanted.usd ?? null, tokens: wanted.tokens ?? null },
      ...(typeof wanted.window === 'number' ? { window: wanted.window } : {}),
    };
    try {
      await api.resumeBatch(batch.id, change);
      onDone();
    } catch (thrown) {
      setError(toForgeError(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Budget and window"
      onClose={onClose}
      onSubmit={() => void apply()}
      footer={
        <>
          <span className="grow hint">{running ? 'Holds from now on.' : 'The batch goes on with these.'}</span>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="button primary" disabled={!ready || busy}>
            {running ? 'Apply' : 'Apply and resume'}
          </button>
        </>
      }
    >
      {error !== null && <FailureNotice failure={error} />}
      <NumberField
        label="Runs at once"
        value={window}
        invalid={!windowOk}
        hint="Runs in progress are never stopped by a smaller number."
        onChange={setWindow}
      />
      <div className="pair-fields">
        <NumberField
          label="Budget in US dollars"
          placeholder="no bound"
          value={usd}
          invalid={wanted.usd === undefined}
          onChange={setUsd}
        />
        <NumberField
          label="Budget in tokens"
          placeholder="no bound"
          value={tokens}
          invalid={wanted.tokens === undefined}
          onChange={setTokens}
        />
      </div>
    </Dialog>
  );
}
