import { type HookLog, HookRecord } from '@cua-forge/spec/hook';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';

export class HookRows {
  *save(record: HookRecord, tokenHash: string): Steps<void> {
    const body = JSON.stringify(parseRow(HookRecord, 'hooks', record));
    const rest = { token_hash: tokenHash, created_at: record.createdAt, body };
    yield* modify(
      build
        .insertInto('hooks')
        .values({ id: record.id, ...rest })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(rest)),
    );
  }

  *find(by: Parameters<HookLog['findHook']>[0]): Steps<HookRecord | null> {
    const query = build.selectFrom('hooks').select('body');
    const row = yield* first('id' in by ? query.where('id', '=', by.id) : query.where('token_hash', '=', by.tokenHash));
    return row === undefined ? null : toRecord(row);
  }

  *list(limit: number): Steps<HookRecord[]> {
    const query = build.selectFrom('hooks').select('body').orderBy('created_at', 'desc').orderBy('id', 'desc');
    return (yield* all(query.limit(limit))).map(toRecord);
  }

  *remove(id: string): Steps<void> {
    yield* modify(build.deleteFrom('hooks').where('id', '=', id));
  }
}

const toRecord = ({ body }: { body: string }): HookRecord => parseBody(HookRecord, 'hooks', body);
