import { EvaluationRecord } from '@cua-forge/spec/evaluation';
import { build } from '../query-builder.ts';
import { parseBody, parseRow } from '../rows.ts';
import { all, first, modify, type Steps } from '../steps.ts';

export class EvaluationRows {
  *create(record: EvaluationRecord): Steps<void> {
    const { id, createdAt } = record;
    const body = JSON.stringify(parseRow(EvaluationRecord, 'evaluations', record));
    yield* modify(
      build
        .insertInto('evaluations')
        .values({ id, created_at: createdAt, body })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
  }

  *get(id: string): Steps<EvaluationRecord | null> {
    const row = yield* first(build.selectFrom('evaluations').select('body').where('id', '=', id));
    return row === undefined ? null : toRecord(row);
  }

  *list(limit: number): Steps<EvaluationRecord[]> {
    const query = build.selectFrom('evaluations').select('body').orderBy('created_at', 'desc').orderBy('id', 'desc');
    return (yield* all(query.limit(limit))).map(toRecord);
  }
}

const toRecord = ({ body }: { body: string }): EvaluationRecord => parseBody(EvaluationRecord, 'evaluations', body);
