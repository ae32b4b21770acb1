import { describe, expect, it } from 'vitest';
import { DOCUMENT_FORMAT } from './document.ts';
import { parseDocument } from './document-io.ts';
import { type DocumentMigration, documentMigrations, migrateDocument } from './document-migrations.ts';
import { ForgeError } from './errors.ts';

const migrations: DocumentMigration[] = [
  { from: 2, name: 'call-steps-nodes', migrate: ({ steps, ...rest }) => ({ ...rest, nodes: steps ?? [] }) },
  { from: 1, name: 'name-to-title', migrate: ({ name, ...rest }) => ({ ...rest, title: name ?? '' }) },
];

describe('migrateDocument', () => {
  it('applies each step from the old format to the new one, by number and by name', () => {
    const old = { forge: 1, id: 'a', name: 'A', steps: [] };
    expect(migrateDocument(old, 1, 3, migrations)).toEqual({
      document: { forge: 3, id: 'a', title: 'A', nodes: [] },
      applied: ['name-to-title', 'call-steps-nodes'],
    });
    expect(old).toEqual({ forge: 1, id: 'a', name: 'A', steps: [] });
  });

  it('leaves a document of the present format alone', () => {
    expect(migrateDocument({ forge: 3 }, 3, 3, migrations)).toEqual({ document: { forge: 3 }, applied: [] });
  });

  it('refuses a gap', () => {
    expect(() => migrateDocument({}, 3, 4, migrations)).toThrowError(ForgeError);
    expect(parseDocument('forge: 1\n', { format: 2, migrations: [] }).findings[0]?.code).toBe('document.format');
  });

  it('has a step for every format that came before', () => {
    expect(documentMigrations.map(({ from }) => from)).toEqual(
      Array.from({ length: DOCUMENT_FORMAT - 1 }, (_, index) => index + 1),
    );
  });

  it('runs before the document is checked, whose findings then speak of the present format', () => {
    const { findings } = parseDocument('forge: 1\nid: a\nname: A\nsteps: []\n', { format: 3, migrations });
    expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining('"forge"')]);
  });
});
