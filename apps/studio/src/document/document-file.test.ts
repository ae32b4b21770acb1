import { MAIN_GRAPH } from '@cua-forge/spec/document';
import { describe, expect, it } from 'vitest';
import { emptyDocument, idFromTitle, readDocumentFile } from './document-file.ts';

describe('document files', () => {
  it('make ids of titles', () => {
    expect(['Monthly summary', '  3 Übersichten! ', '数据'].map(idFromTitle)).toEqual([
      'monthly-summary',
      'ubersichten',
      'workflow',
    ]);
  });

  it('start empty, with the border in its place', () => {
    expect(Object.keys(emptyDocument('a', 'A').layout[MAIN_GRAPH] ?? {})).toEqual(['$inputs', '$outputs']);
  });

  it('come back with findings when they cannot be read', async () => {
    const { document, findings } = await readDocumentFile('forge: 99\n', 'new.yaml');
    expect(document).toBeNull();
    expect(findings.length).toBeGreaterThan(0);
  });
});
