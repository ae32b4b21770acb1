import '../styles/boards.css';
import { useMay } from '../api/session-store.ts';
import { IncomingHooks } from '../hooks/incoming-hooks.tsx';
import { OutgoingWebhooks } from '../hooks/outgoing-webhooks.tsx';

/** What others call to start batches, and whom they tell when something ends. */
export function HooksPage() {
  const may = useMay('operator');
  return (
    <div className="page wide stack board">
      <div className="page-head">
        <h1>Hooks</h1>
      </div>
      {may ? (
        <>
          <IncomingHooks />
          <OutgoingWebhooks />
        </>
      ) : (
        <p className="hint">Operators make and end hooks.</p>
      )}
    </div>
  );
}
