import { type ClaimResult, NewClaim } from '@cua-forge/spec/store-port';
import { build, named } from '../query-builder.ts';
import { parseRow } from '../rows.ts';
import { all, modify, PreparedQuery, type Steps } from '../steps.ts';

interface Held {
  value: string;
  run_id: string;
  key: string;
  signature: string | null;
}

export class ClaimRows {
  readonly #equal = new PreparedQuery<{ scope: string; name: string; value: string }, Held>(
    build
      .selectFrom('claims')
      .select(['value', 'run_id', 'key', 'signature'])
      .where('scope', '=', named<string>('scope'))
      .where('name', '=', named<string>('name'))
      .where('value', '=', named<string>('value')),
  );
  readonly #signed = new PreparedQuery<{ scope: string; name: string }, Held>(
    build
      .selectFrom('claims')
      .select(['value', 'run_id', 'key', 'signature'])
      .where('scope', '=', named<string>('scope'))
      .where('name', '=', named<string>('name'))
      .where('signature', 'is not', null)
      .orderBy('at')
      .orderBy('run_id')
      .orderBy('key'),
  );

  /** Inside a write: what is read stays true until it is committed. */
  *claim(given: NewClaim): Steps<ClaimResult> {
    const claim = parseRow(NewClaim, 'claims', given);
    const { scope, name, value, runId, key } = claim;
    const isOwn = (held: Held) => held.run_id === runId && held.key === key;
    const [equal] = yield* this.#equal.all({ scope, name, value });
    if (equal !== undefined)
      return isOwn(equal)
        ? { granted: true }
        : { granted: false, alike: 1, holder: { runId: equal.run_id, key: equal.key } };
    if (claim.near !== null) {
      const near = nearest(
        claim.near.signature,
        (yield* this.#signed.all({ scope, name })).filter((held) => !isOwn(held)),
      );
      if (near !== null && near.alike >= claim.near.atLeast)
        return { granted: false, alike: near.alike, holder: { runId: near.held.run_id, key: near.held.key } };
    }
    const row = { value, signature: claim.near?.signature ?? null, at: claim.at };
    yield* modify(
      build
        .insertInto('claims')
        .values({ scope, name, run_id: runId, key, ...row })
        .onConflict((conflict) => conflict.columns(['scope', 'name', 'run_id', 'key']).doUpdateSet(row)),
    );
    return { granted: true };
  }

  *list(filter: { runId: string }): Steps<{ scope: string; name: string; key: string; value: string }[]> {
    return yield* all(
      build
        .selectFrom('claims')
        .select(['scope', 'name', 'key', 'value'])
        .where('run_id', '=', filter.runId)
        .orderBy('scope')
        .orderBy('name')
        .orderBy('key'),
    );
  }
}

function nearest(signature: string, others: readonly Held[]): { held: Held; alike: number } | null {
  const mine = parts(signature);
  let best: { held: Held; alike: number } | null = null;
  for (const held of others) {
    const theirs = parts(held.signature ?? '');
    // Signatures of another length were made in another way and say nothing.
    if (theirs.length !== mine.length) continue;
    let equal = 0;
    for (let index = 0; index < mine.length; index += 1) if (mine[index] === theirs[index]) equal += 1;
    const alike = equal / mine.length;
    if (best === null || alike > best.alike) best = { held, alike };
  }
  return best;
}

/** Signatures are kept as base64 of 32-bit numbers. */
const parts = (signature: string): Uint32Array => {
  const bytes = Buffer.from(signature, 'base64');
  return new Uint32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength - (bytes.byteLength % 4)),
  );
};
