import { ForgeError } from '@cua-forge/spec/errors';
import { listedAt } from '@cua-forge/spec/listed-at';
import { type NewPublication, Publication } from '@cua-forge/spec/publication';
import type { Selectable } from 'kysely';
import { build } from '../query-builder.ts';
import { parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';
import type { Tables } from '../tables.ts';

/** Ids in one query at most: databases bound the number of parameters. */
const idsAtOnce = 500;

/** Which revisions are published: the newest row of a document holds. */
export class PublicationRows {
  /** @throws ForgeError `not-found` */
  *add({ documentId, revision, note, by, at }: NewPublication): Steps<Publication> {
    const version = build.selectFrom('document_versions').select('revision').where('document_id', '=', documentId);
    if ((yield* first(version.where('revision', '=', revision))) === undefined)
      throw new ForgeError(
        'not-found',
        `Document "${documentId}" has no revision ${revision}; nothing was published.`,
        {
          fix: listedAt(`documents/${documentId}/revisions`),
        },
      );
    const [holding] = yield* this.list(documentId, 1);
    if (holding?.revision === revision) return holding;
    const row = { document_id: documentId, revision, note, user_name: by, at };
    yield* modify(build.insertInto('publications').values(row));
    const [added] = yield* this.list(documentId, 1);
    if (added === undefined) throw new ForgeError('internal', `The publication of "${documentId}" is not there.`);
    return added;
  }

  *holding(documentIds: readonly string[]): Steps<Publication[]> {
    const found: Publication[] = [];
    for (let start = 0; start < documentIds.length; start += idsAtOnce) {
      const rows = yield* all(
        build
          .selectFrom('publications')
          .selectAll()
          .where('id', 'in', ({ selectFrom }) =>
            selectFrom('publications')
              .select(({ fn }) => fn.max('id').as('id'))
              .where('document_id', 'in', documentIds.slice(start, start + idsAtOnce))
              .groupBy('document_id'),
          ),
      );
      found.push(...rows.map(toPublication));
    }
    return found;
  }

  *list(documentId: string, limit: number): Steps<Publication[]> {
    const query = build.selectFrom('publications').selectAll().where('document_id', '=', documentId);
    return (yield* all(query.orderBy('id', 'desc').limit(limit))).map(toPublication);
  }
}

const toPublication = (row: Selectable<Tables['publications']>): Publication =>
  parseRow(Publication, 'publications', {
    id: row.id,
    documentId: row.document_id,
    revision: row.revision,
    note: row.note,
    by: row.user_name,
    at: row.at,
  });
