import type { ApiClient } from '@cua-forge/api-client/api-client';
import type { GraphDocument } from '@cua-forge/spec/document';
import { ForgeError } from '@cua-forge/spec/errors';
import type { RevisionChoice } from '@cua-forge/spec/publication';
import { InvalidArgumentError, Option } from 'commander';

/** Reads `published`, `latest` or the number of a revision. */
export function revisionChoice(text: string): RevisionChoice {
  if (text === 'published' || text === 'latest') return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be published, latest, or a number.');
  return Number(text);
}

/** `--revision`: which revision of a document is meant. */
export const revisionOption = () =>
  new Option('--revision <which>', 'published, latest, or the number of a revision')
    .argParser(revisionChoice)
    .default('published');

/** @throws ForgeError `not-found`, or `document.invalid` for one that cannot be read */
export async function documentVersion(api: ApiClient, id: string, which: RevisionChoice): Promise<GraphDocument> {
  const view =
    typeof which === 'number' ? await api.revision(id, String(which)) : await api.document(id, { revision: which });
  if (view.document !== null) return view.document;
  throw new ForgeError('document.invalid', `The document of "${id}" cannot be read.`, {
    fix: 'Open it in the studio to see why.',
  });
}
