import { isPaged } from '@cua-forge/spec/page-pictures';
import type { FileValue } from '@cua-forge/spec/value';
import { lazy, Suspense } from 'react';
import { fileUrl } from '../api/files-api.ts';
import { FilePages } from './file-pages.tsx';

const MailView = lazy(async () => ({ default: (await import('./mail-view.tsx')).MailView }));

const isMailFile = ({ name }: FileValue): boolean => /\.(eml|mbox)$/i.test(name);
const isPicture = ({ mediaType }: FileValue): boolean => /^image\/(png|jpeg|gif|webp)$/.test(mediaType);

/** Whether a stored file can be shown here as what it is: pictures, mail, documents, slides, sheets and PDFs. */
export const isShown = (file: FileValue): boolean => isPicture(file) || isMailFile(file) || isPaged(file.name);

/** A stored file as what it is; null for one that cannot be shown. */
export function OpenedFile({ file }: { file: FileValue }) {
  if (isPicture(file)) return <img className="package-image" src={fileUrl(file)} alt={file.name} />;
  if (isMailFile(file))
    return (
      <Suspense fallback={<p className="hint pad">Loading…</p>}>
        <MailView file={file} />
      </Suspense>
    );
  return isPaged(file.name) ? <FilePages file={file} /> : null;
}
