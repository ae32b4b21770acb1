import { useEffect, useState } from 'react';

const REFRESH_MS = 3_000;

/** The screen of a desktop, taken again every few seconds while somebody can see it. */
export function DesktopPicture({ id }: { id: string }) {
  const [at, setAt] = useState(() => Date.now());
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setAt(Date.now());
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="desktop-picture">
      {broken && <span className="muted small">Its screen cannot be seen.</span>}
      <img
        src={`/api/desktops/${encodeURIComponent(id)}/picture?width=480&at=${at}`}
        alt={`Screen of ${id}`}
        hidden={broken}
        onLoad={() => setBroken(false)}
        onError={() => setBroken(true)}
      />
    </div>
  );
}
