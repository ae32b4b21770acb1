import { parseDocument } from '@cua-forge/spec/document-io';
import { kinds } from '@cua-forge/spec/kinds';
import { validateDocument } from '@cua-forge/spec/validate-document';
import { describe, expect, it } from 'vitest';
import { docPages } from './read-docs.ts';

const documents = docPages().flatMap(({ path, text }) =>
  [...text.matchAll(/^```yaml\n(forge: [\s\S]*?)^```$/gm)].map((match, index) => ({
    name: `document ${index + 1} of ${path}`,
    source: match[1] ?? '',
  })),
);

describe('complete documents in the pages', () => {
  it('are there', () => {
    expect(documents.length).toBeGreaterThanOrEqual(3);
  });

  it.each(documents)('$name has no findings', ({ name, source }) => {
    const { document, findings } = parseDocument(source, { file: name });
    expect(findings).toEqual([]);
    expect(document === null ? 'unreadable' : validateDocument(document, kinds)).toEqual([]);
  });
});
