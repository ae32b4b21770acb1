import type { ResumeBatch } from '@cua-forge/spec/api/batches';
import type { BatchRecord } from '@cua-forge/spec/store-port';
import { useState } from 'react';
import { batchesApi } from '../api/batches-api.ts';
import { MakeDialog } from '../ui/make-dialog.tsx';
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
  const running = batch.state === 'running' || batch.state === 'queued';

  const wanted = {
    window: numberOf(window, { whole: true, least: 1 }),
    usd: numberOf(usd),
    tokens: numberOf(tokens, { whole: true, least: 1 }),
  };
  const windowOk = typeof wanted.window === 'number' && wanted.window <= 200;
  const ready = windowOk && wanted.usd !== undefined && wanted.tokens !== undefined;
  const apply = async () => {
    const change: ResumeBatch = {
      budget: { usd: wanted.usd ?? null, tokens: wanted.tokens ?? null },
      ...(typeof wanted.window === 'number' ? { window: wanted.window } : {}),
    };
    await batchesApi.resumeBatch(batch.id, change);
    onDone();
  };
  return (
    <MakeDialog
      title="Budget and window"
      action={[running ? 'Apply' : 'Apply and resume', 'Applying…']}
      hint={running ? 'Holds from now on.' : 'The batch goes on with these.'}
      ready={ready}
      make={apply}
      onClose={onClose}
    >
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
    </MakeDialog>
  );
}
