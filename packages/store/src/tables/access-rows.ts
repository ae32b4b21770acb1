import { type AccessLog, AuditEntry, type KeyedAnswer, type NewAuditEntry } from '@cua-forge/spec/access-port';
import { build } from '../query-builder.ts';
import { parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';

type Filter = Parameters<AccessLog['listAudit']>[0];

/** Who did what, and which keyed requests were answered. */
export class AccessRows {
  *addAudit(entry: NewAuditEntry): Steps<void> {
    const { id: _, user, ...rest } = parseRow(AuditEntry, 'audit', { ...entry, id: 0 });
    yield* modify(build.insertInto('audit').values({ ...rest, user_name: user }));
  }

  *listAudit({ user, action, target, before, limit }: Filter): Steps<AuditEntry[]> {
    let query = build.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
    if (user !== undefined) query = query.where('user_name', '=', user);
    if (action !== undefined) query = query.where('action', '=', action);
    if (target !== undefined) query = query.where('target', '=', target);
    if (before !== undefined) query = query.where('id', '<', before);
    return (yield* all(query)).map(({ user_name: name, ...row }) =>
      parseRow(AuditEntry, 'audit', { ...row, user: name }),
    );
  }

  *keepAnswer(key: string, { bodyHash, answer }: KeyedAnswer, at: number): Steps<KeyedAnswer> {
    yield* modify(
      build
        .insertInto('keyed_requests')
        .values({ key, body_hash: bodyHash, answer, at })
        .onConflict((conflict) => conflict.column('key').doNothing()),
    );
    return (yield* this.keptAnswer(key)) ?? { bodyHash, answer };
  }

  *keptAnswer(key: string): Steps<KeyedAnswer | null> {
    const row = yield* first(build.selectFrom('keyed_requests').select(['body_hash', 'answer']).where('key', '=', key));
    return row === undefined ? null : { bodyHash: row.body_hash, answer: row.answer };
  }
}
