import type { TaskPackage } from '@cua-forge/spec/task';
import { EyeOff, FileText } from 'lucide-react';
import { useState } from 'react';
import { bytes } from '../ui/format.ts';
import { isShown, OpenedFile } from '../values/opened-file.tsx';
import { FileView, isTextFile, StoredText } from '../values/value-view.tsx';

/** The file with the name that it has in the folder. */
const named = ({ path, file }: TaskPackage['files'][number]) => ({
  ...file,
  name: path.slice(path.lastIndexOf('/') + 1),
});

/** The folder of a package, file by file. */
export function Folder({ content }: { content: TaskPackage }) {
  const [path, setPath] = useState(content.files[0]?.path ?? '');
  const chosen = content.files.find((file) => file.path === path);
  return (
    <div className="package-files">
      <ul className="plain-list" aria-label="Files of the package">
        {content.files.map((file) => (
          <li key={file.path}>
            <button
              type="button"
              className="choice"
              aria-pressed={file.path === path}
              onClick={() => setPath(file.path)}
            >
              {file.path.startsWith('hidden/') ? (
                <EyeOff size={14} aria-label="hidden" />
              ) : (
                <FileText size={14} aria-hidden />
              )}
              <span className="grow truncate">{file.path}</span>
              <span className="muted small">{bytes(file.file.size)}</span>
            </button>
          </li>
        ))}
      </ul>
      <section className="stack package-file" aria-label={path}>
        {chosen !== undefined && (
          <>
            <FileView key={chosen.path} preview={false} file={named(chosen)} />
            {isShown(named(chosen)) && <OpenedFile key={`${chosen.path}/open`} file={named(chosen)} />}
            {!isShown(named(chosen)) && isTextFile(chosen.file) && (
              <StoredText key={`${chosen.path}/text`} file={chosen.file} />
            )}
          </>
        )}
      </section>
    </div>
  );
}
