import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ForgeError } from '@cua-forge/spec/errors';
import type { StateReader } from '@cua-forge/spec/state-reader';
import Database from 'better-sqlite3';
import { z } from 'zod';
import { list, missing, type Scalar, type Seen, value } from './seen.ts';

const MOST_ROWS = 10_000;
const Field = z.union([z.string(), z.number(), z.bigint(), z.null(), z.instanceof(Uint8Array)]);
const Row = z.array(Field);

const scalar = (field: z.infer<typeof Field>): Scalar =>
  typeof field === 'bigint' ? Number(field) : field instanceof Uint8Array ? Buffer.from(field).toString('hex') : field;

/**
 * Result of a query over a copy of a database: one value where there is one row of one column, otherwise all of them, row by row.
 * @throws ForgeError `params.invalid` for what is no single reading query, `file.unreadable`
 */
export async function queryDatabase(reader: StateReader, path: string, query: string): Promise<Seen> {
  const bytes = await reader.readFile(path);
  if (bytes === null) return missing(`there is no file ${path}`);
  const folder = await mkdtemp(join(tmpdir(), 'forge-check-'));
  try {
    const file = join(folder, 'copy.db');
    await writeFile(file, bytes);
    // What a running program has written last is in the log beside the file.
    const log = await reader.readFile(`${path}-wal`);
    if (log !== null) await writeFile(`${file}-wal`, log);
    return run(file, path, query);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function run(file: string, path: string, query: string): Seen {
  let database: Database.Database | undefined;
  try {
    database = new Database(file);
    const statement = database.prepare(query);
    if (!statement.reader || !statement.readonly)
      throw new ForgeError('params.invalid', 'The query of a check changes the database.', {
        fix: 'Let it only read.',
      });
    const fields: Scalar[] = [];
    let [rows, width] = [0, 0];
    for (const raw of statement.raw().iterate()) {
      const row = Row.parse(raw);
      rows += 1;
      width = row.length;
      if (rows > MOST_ROWS)
        throw new ForgeError('params.invalid', `The query of a check has more than ${MOST_ROWS} rows.`);
      fields.push(...row.map(scalar));
    }
    return rows === 1 && width === 1 ? value(fields[0]) : list(fields);
  } catch (cause) {
    if (cause instanceof ForgeError) throw cause;
    throw new ForgeError(
      'file.unreadable',
      `${path} cannot be asked “${query}”: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  } finally {
    database?.close();
  }
}
