import { ForgeError } from '@cua-forge/spec/errors';

/** The part of a zod schema that reading rows needs. */
interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** @throws ForgeError `internal` that names the table: the row was written by something else than this product. */
export function parseRow<T>(schema: Schema<T>, table: string, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined ? '' : ` (${issue.path.map(String).join('.')}: ${issue.message})`;
  throw new ForgeError(
    'internal',
    `A row for the store's table "${table}" does not have the shape it should${where}.`,
    {
      fix: 'If it was read, restore the store from a copy or start with an empty folder; if it was to be written, report a bug.',
      cause: result.error,
    },
  );
}

export const parseBody = <T>(schema: Schema<T>, table: string, body: string): T =>
  parseRow(schema, table, parseJson(body));

export const parseJson = (text: string): unknown => JSON.parse(text);
