import '../styles/pages.css';
import type { FileValue } from '@cua-forge/spec/value';
import { useEffect, useState } from 'react';
import { filesApi, fileUrl } from '../api/files-api.ts';
import { useLoad } from '../api/use-load.ts';
import { FailureNotice } from '../ui/states.tsx';

/** The pages of a document, of slides or of a PDF as pictures, as LibreOffice lays them out. */
export function FilePages({ file }: { file: Pick<FileValue, 'hash' | 'name'> }) {
  const [load] = useLoad(() => filesApi.filePages(file.hash, { name: file.name }), [file.hash, file.name]);
  if (load.status === 'loading') return <Drawing />;
  if (load.status === 'failed') return <FailureNotice failure={load.error} />;
  const { pages, total } = load.value;
  return (
    <div className="file-pages">
      {pages.map(({ hash, width, height }, index) => (
        <figure key={hash + String(index)} className="file-page">
          <img
            src={fileUrl({ hash, name: `page-${index + 1}.png`, mediaType: 'image/png' })}
            alt={`Page ${index + 1} of ${file.name}`}
            width={width}
            height={height}
            loading="lazy"
          />
          <figcaption className="muted small">
            {index + 1} of {total}
          </figcaption>
        </figure>
      ))}
      {total > pages.length && (
        <p className="hint">
          The first {pages.length} of {total} pages. Download the file to see the others.
        </p>
      )}
    </div>
  );
}

/** How long it has taken so far: the first time a file is looked at, LibreOffice has to start. */
function Drawing() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="hint pad" role="status">
      Drawing the pages…{seconds > 1 && ` ${seconds} s; most files take less than 15 s, and are drawn once.`}
    </p>
  );
}
