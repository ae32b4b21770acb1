import { PagePictures } from '@cua-forge/spec/page-pictures';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { first, modify, type Steps } from '../steps.ts';

export class PageRows {
  *keep(key: string, pictures: PagePictures, at: number): Steps<void> {
    const row = { at, body: JSON.stringify(parseRow(PagePictures, 'page_pictures', pictures)) };
    yield* modify(
      build
        .insertInto('page_pictures')
        .values({ key, ...row })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(row)),
    );
  }

  *get(key: string): Steps<PagePictures | null> {
    const row = yield* first(build.selectFrom('page_pictures').select('body').where('key', '=', key));
    return row === undefined ? null : parseBody(PagePictures, 'page_pictures', row.body);
  }
}
