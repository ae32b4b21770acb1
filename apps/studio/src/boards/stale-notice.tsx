import type { ForgeError } from '@cua-forge/spec/errors';
import { WifiOff } from 'lucide-react';
import type { Stream } from '../api/event-feed.ts';

/** Says that what is shown may be old: the last refresh failed, or events do not come in. */
export function StaleNotice({ stale, stream }: { stale: ForgeError | null; stream: Stream }) {
  if (stale === null && stream !== 'reconnecting') return null;
  return (
    <div className="notice warn small" role="status">
      <WifiOff size={15} aria-hidden />
      <span>
        {stale === null ? 'The connection broke; it is being opened again.' : stale.message} What is shown is what was
        last known.
      </span>
    </div>
  );
}
