import { useEffect, useState } from 'react';
import { stopLayout } from './auto-layout.ts';
import { useView } from './view-store.ts';

/** Waits shorter than this need no word. */
const QUIET_MS = 400;
/** What the engine takes for a card, roughly: 1,000 cards a second. */
const CARDS_A_SECOND = 1_000;

/** How long the layout engine has been at work, about how long it will be, and the way to stop it. */
export function Arranging() {
  const work = useView((state) => state.arranging);
  const [now, setNow] = useState(0);
  useEffect(() => {
    if (work === null) return;
    const timer = setInterval(() => setNow(Date.now()), 200);
    return () => clearInterval(timer);
  }, [work]);
  if (work === null || now - work.since < QUIET_MS) return null;
  const seconds = (now - work.since) / 1000;
  const expected = work.cards / CARDS_A_SECOND;
  return (
    <div className="arranging" role="status">
      <div className="spinner small" aria-hidden />
      <span>
        Arranging {work.cards.toLocaleString('en')} cards · {seconds.toFixed(0)} s
        {expected > seconds && ` of about ${Math.ceil(expected)}`}
      </span>
      <button type="button" className="button compact" onClick={stopLayout}>
        Stop
      </button>
    </div>
  );
}
