import { toForgeError } from '@cua-forge/spec/errors';
import type RFB from '@novnc/novnc';
import { useEffect, useRef, useState } from 'react';
import { desktopsApi } from '../api/desktops-api.ts';

type Connection = { state: 'connecting' } | { state: 'live' } | { state: 'ended'; why: string };

/** A desktop as it moves; with `control`, mouse and keyboard go to it while the pointer is on it. */
export function LiveScreen({ id, control }: { id: string; control: boolean }) {
  const frame = useRef<HTMLDivElement>(null);
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` connects again
  useEffect(() => {
    let current = true;
    let screen: RFB | null = null;
    setConnection({ state: 'connecting' });
    const open = async () => {
      const [{ default: Screen }, { path }] = await Promise.all([
        import('@novnc/novnc'),
        control ? desktopsApi.controlDesktop(id) : desktopsApi.watchDesktop(id),
      ]);
      if (!current || frame.current === null) return;
      screen = new Screen(frame.current, `${location.origin.replace(/^http/, 'ws')}${path}`, { shared: true });
      screen.scaleViewport = true;
      screen.viewOnly = !control;
      screen.background = 'transparent';
      screen.addEventListener('connect', () => {
        if (!current) return;
        setConnection({ state: 'live' });
        if (control) screen?.focus();
      });
      screen.addEventListener('disconnect', () => {
        screen = null;
        if (current) setConnection({ state: 'ended', why: 'The connection to the desktop has ended.' });
      });
    };
    open().catch((thrown: unknown) => {
      if (current) setConnection({ state: 'ended', why: toForgeError(thrown).message });
    });
    return () => {
      current = false;
      screen?.disconnect();
    };
  }, [id, control, round]);
  return (
    <div className={control ? 'live-screen controlled' : 'live-screen'} data-state={connection.state}>
      <div ref={frame} className="live-frame" />
      {connection.state === 'connecting' && (
        <div className="live-cover" role="status">
          <div className="spinner" aria-hidden /> Connecting to the desktop…
        </div>
      )}
      {connection.state === 'ended' && (
        <div className="live-cover" role="alert">
          <p>{connection.why}</p>
          <button type="button" className="button" onClick={() => setRound((before) => before + 1)}>
            Connect again
          </button>
        </div>
      )}
    </div>
  );
}
