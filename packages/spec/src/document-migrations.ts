import { ForgeError } from './errors.ts';
import type { JsonObject } from './json.ts';

/** Turns a document of format `from` into one of format `from + 1`; `forge` itself is raised by the caller. */
export interface DocumentMigration {
  from: number;
  name: string;
  migrate(document: JsonObject): JsonObject;
}

/** One for each format that came before the present one, in order. */
export const documentMigrations: readonly DocumentMigration[] = [];

/**
 * Raises an unchecked document from format `from` to format `to`; the argument is left as it is.
 * @throws ForgeError `document.invalid` when a step is missing
 */
export function migrateDocument(
  document: JsonObject,
  from: number,
  to: number,
  migrations: readonly DocumentMigration[] = documentMigrations,
): { document: JsonObject; applied: string[] } {
  let current = structuredClone(document);
  const applied: string[] = [];
  for (let format = from; format < to; format += 1) {
    const step = migrations.find((migration) => migration.from === format);
    if (step === undefined) {
      throw new ForgeError('document.invalid', `There is no way from document format ${format} to ${format + 1}.`, {
        fix: 'Open and save the document with an older build first.',
      });
    }
    current = { ...step.migrate(current), forge: format + 1 };
    applied.push(step.name);
  }
  return { document: current, applied };
}
