import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, faultOf, httpStatusOf, isRetryable } from '@cua-forge/spec/errors';
import { expect, it } from 'vitest';
import { root } from './read-docs.ts';

const page = readFileSync(join(root, 'docs/operations/runs-and-retries.md'), 'utf8');
const rows = [...page.matchAll(/^\| `([a-z.-]+)` \| (user|transient|bug) \| (yes|no) \| (\d+) \| (.+) \|$/gm)];

it('the table of failures has every error code with its fault, repetition and HTTP status, in order', () => {
  expect(rows.map(([, code, fault, again, http]) => [code, fault, again, Number(http)])).toEqual(
    errorCodes.map((code) => [code, faultOf(code), isRetryable(code) ? 'yes' : 'no', httpStatusOf(code)]),
  );
});

it('says what to do about each', () => {
  for (const [, code, , , , advice = ''] of rows) expect(advice.length, code).toBeGreaterThan(10);
});
