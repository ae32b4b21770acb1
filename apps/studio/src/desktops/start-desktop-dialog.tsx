import { type Desktop, StartDesktop } from '@cua-forge/spec/desktops';
import { useId, useState } from 'react';
import { desktopsApi } from '../api/desktops-api.ts';
import { MakeDialog } from '../ui/make-dialog.tsx';

const sizes = ['1280x800', '1440x900', '1920x1080'] as const;

/** Starts a desktop for whoever asks, empty or as a task package prepares it. */
export function StartDesktopDialog({
  packageId = null,
  onStarted,
  onClose,
}: {
  packageId?: string | null;
  onStarted(desktop: Desktop): void;
  onClose(): void;
}) {
  const id = useId();
  const [target, setTarget] = useState<'minimal' | 'full'>('minimal');
  const [provider, setProvider] = useState<'docker' | 'bubblewrap'>('docker');
  const [size, setSize] = useState<string>(packageId === null ? '1280x800' : '1920x1080');
  const start = async () => {
    const [width, height] = size.split('x').map(Number);
    onStarted(await desktopsApi.startDesktop(StartDesktop.parse({ provider, target, width, height, packageId })));
  };
  return (
    <MakeDialog
      title={packageId === null ? 'Start a desktop' : 'Open the task on a desktop'}
      action={['Start', 'Starting…']}
      make={start}
      onClose={onClose}
    >
      <div className="stack">
        {packageId !== null && (
          <p className="hint">
            The desktop of <code>{packageId}</code> is prepared in it. What you do there can be kept as its reference
            solution.
          </p>
        )}
        <label className="field" htmlFor={`${id}-target`}>
          <span>Applications</span>
          <select
            id={`${id}-target`}
            className="select"
            value={target}
            onChange={(event) => setTarget(event.target.value === 'full' ? 'full' : 'minimal')}
          >
            <option value="minimal">Calc and Chromium</option>
            <option value="full">all</option>
          </select>
        </label>
        <label className="field" htmlFor={`${id}-size`}>
          <span>Screen</span>
          <select id={`${id}-size`} className="select" value={size} onChange={(event) => setSize(event.target.value)}>
            {sizes.map((one) => (
              <option key={one} value={one}>
                {one.replace('x', ' × ')}
              </option>
            ))}
          </select>
        </label>
        <label className="field" htmlFor={`${id}-provider`}>
          <span>Runs with</span>
          <select
            id={`${id}-provider`}
            className="select"
            value={provider}
            onChange={(event) => setProvider(event.target.value === 'bubblewrap' ? 'bubblewrap' : 'docker')}
          >
            <option value="docker">Docker</option>
            <option value="bubblewrap">bubblewrap</option>
          </select>
        </label>
      </div>
    </MakeDialog>
  );
}
