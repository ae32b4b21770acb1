import '../styles/boards.css';
import '../styles/desktops.css';
import type { RecordedActions } from '@cua-forge/spec/solution';
import { CircleDot, Hand, Square } from 'lucide-react';
import { useEffect, useState } from 'react';
import { desktopsApi } from '../api/desktops-api.ts';
import { useMay } from '../api/session-store.ts';
import { useLoad } from '../api/use-load.ts';
import { LiveScreen } from '../desktops/live-screen.tsx';
import { RecordedPanel } from '../desktops/recorded-panel.tsx';
import { navigate } from '../route.ts';
import { duration } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { May } from '../ui/may.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

const ASK_MS = 3_000;

/** One desktop, live. Operators take it over, record what they do, and keep that with a package. */
export function DesktopPage({ id }: { id: string }) {
  const [load, again] = useLoad(() => desktopsApi.desktops(), [id]);
  const mayControl = useMay('operator');
  const [control, setControl] = useState(false);
  const [recorded, setRecorded] = useState<RecordedActions | null>(null);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, ASK_MS);
    return () => clearInterval(timer);
  }, [again]);
  if (load.status === 'loading') return <Loading what="the desktop" />;
  if (load.status === 'failed') return <LoadFailed error={load.error} onRetry={again} />;
  const desktop = load.value.desktops.find((one) => one.id === id && one.state === 'running');

  const act = async (work: () => Promise<unknown>) => {
    try {
      await work();
      again();
    } catch (thrown) {
      toastError(thrown);
    }
  };
  const record = () =>
    act(async () => {
      setRecorded(null);
      await desktopsApi.startRecording(id);
      setControl(true);
    });
  const stop = () =>
    act(async () => {
      const { recording } = await desktopsApi.endRecording(id);
      setRecorded(recording);
      if (recording === null) toastOk('Nothing was done, so nothing is kept.');
    });
  const end = () =>
    act(async () => {
      await desktopsApi.endDesktop(id);
      navigate({ page: 'desktops' });
    });

  if (desktop === undefined)
    return (
      <div className="page wide stack">
        <Empty title="This desktop does not run">
          <Link to={{ page: 'desktops' }} className="button">
            All desktops
          </Link>
        </Empty>
        {recorded !== null && <RecordedPanel recorded={recorded} packageId={null} />}
      </div>
    );
  const { recording, packageId, runId } = desktop;
  return (
    <div className="page wide stack board desktop-page">
      <div className="page-head">
        <div className="grow">
          <h1>
            Desktop <code>{id}</code>
          </h1>
          <div className="row small muted">
            <span>{desktop.provider}</span>
            <span>{duration(Math.max(0, Date.now() - desktop.createdAt))} old</span>
            {runId !== null && <Link to={{ page: 'run', id: runId }}>Its run</Link>}
            {packageId !== null && <Link to={{ page: 'package', id: packageId }}>{packageId}</Link>}
            {recording !== null && (
              <span className="badge bad" role="status">
                recording · {recording.events} events
              </span>
            )}
          </div>
        </div>
        {mayControl && (
          <button
            type="button"
            className={control ? 'button' : 'button primary'}
            aria-pressed={control}
            onClick={() => setControl(!control)}
          >
            <Hand size={14} aria-hidden /> {control ? 'Let go' : 'Take over'}
          </button>
        )}
        <May needs="operator">
          {recording === null ? (
            <button type="button" className="button" onClick={() => void record()}>
              <CircleDot size={14} aria-hidden /> Record
            </button>
          ) : (
            <button type="button" className="button primary" onClick={() => void stop()}>
              <Square size={14} aria-hidden /> Stop recording
            </button>
          )}
          <button type="button" className="button" onClick={() => void end()}>
            End
          </button>
        </May>
      </div>
      <LiveScreen id={id} control={control && mayControl} />
      {recorded !== null && <RecordedPanel recorded={recorded} packageId={packageId} />}
    </div>
  );
}
