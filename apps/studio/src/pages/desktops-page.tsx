import '../styles/boards.css';
import '../styles/desktops.css';
import type { Desktop } from '@cua-forge/spec/desktops';
import { Eye, Monitor, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { desktopsApi } from '../api/desktops-api.ts';
import { useLoad } from '../api/use-load.ts';
import { DesktopPicture } from '../desktops/desktop-picture.tsx';
import { StartDesktopDialog } from '../desktops/start-desktop-dialog.tsx';
import { navigate } from '../route.ts';
import { duration } from '../ui/format.ts';
import { Link } from '../ui/link.tsx';
import { May } from '../ui/may.tsx';
import { Empty, LoadFailed, Loading } from '../ui/states.tsx';
import { toastError, toastOk } from '../ui/toast.tsx';

const ASK_MS = 4_000;

/** Every desktop that runs: its screen, whom it serves, its age; to be opened live, or ended. */
export function DesktopsPage() {
  const [load, again] = useLoad(() => desktopsApi.desktops(), []);
  const [starting, setStarting] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, ASK_MS);
    return () => clearInterval(timer);
  }, [again]);
  return (
    <div className="page wide stack board">
      <div className="page-head">
        <div className="grow">
          <h1>Desktops</h1>
        </div>
        <May needs="operator">
          <button type="button" className="button primary" onClick={() => setStarting(true)}>
            <Plus size={14} aria-hidden /> Start a desktop
          </button>
        </May>
      </div>
      {load.status === 'loading' && <Loading what="desktops" />}
      {load.status === 'failed' && <LoadFailed error={load.error} onRetry={again} />}
      {load.status === 'loaded' && (
        <>
          {load.value.problems.map((problem) => (
            <p key={problem} className="hint">
              {problem}
            </p>
          ))}
          {load.value.desktops.length === 0 ? (
            <Empty icon={<Monitor size={28} aria-hidden />} title="No desktop runs">
              <p className="hint">Runs start them when a node needs one; operators start them here.</p>
            </Empty>
          ) : (
            <ul className="desktops" aria-label="Desktops">
              {load.value.desktops.map((desktop) => (
                <DesktopCard key={desktop.id} desktop={desktop} onEnded={again} />
              ))}
            </ul>
          )}
        </>
      )}
      {starting && (
        <StartDesktopDialog
          onStarted={({ id }) => navigate({ page: 'desktop', id })}
          onClose={() => setStarting(false)}
        />
      )}
    </div>
  );
}

function DesktopCard({ desktop, onEnded }: { desktop: Desktop; onEnded(): void }) {
  const { id, provider, state, createdAt, runId, packageId, lease, watchers, controlledBy, recording } = desktop;
  const running = state === 'running';
  const end = async () => {
    try {
      await desktopsApi.endDesktop(id);
      toastOk(`Desktop ${id} was ended.`);
      onEnded();
    } catch (thrown) {
      toastError(thrown);
    }
  };
  return (
    <li className="panel desktop-card">
      {running ? (
        <Link to={{ page: 'desktop', id }}>
          <DesktopPicture id={id} />
        </Link>
      ) : (
        <div className="desktop-picture muted small">It has ended.</div>
      )}
      <div className="row">
        <Link to={{ page: 'desktop', id }} className="list-main">
          <code>{id}</code>
        </Link>
        <span className="badge">{provider}</span>
        {recording !== null && <span className="badge bad">recording</span>}
        {controlledBy.length > 0 && <span className="badge run">{controlledBy.join(', ')}</span>}
        <span className="grow" />
        {watchers > 0 && (
          <span className="muted small nowrap" title="People who look at it">
            <Eye size={13} aria-hidden /> {watchers}
          </span>
        )}
      </div>
      <div className="row small muted">
        <span className="nowrap">{duration(Math.max(0, Date.now() - createdAt))} old</span>
        {runId !== null && <Link to={{ page: 'run', id: runId }}>Run</Link>}
        {packageId !== null && <Link to={{ page: 'package', id: packageId }}>{packageId}</Link>}
        {runId === null && packageId === null && <span className="truncate">{lease}</span>}
        <span className="grow" />
        <May needs="operator">
          <button type="button" className="button compact" onClick={() => void end()}>
            End
          </button>
        </May>
      </div>
    </li>
  );
}
