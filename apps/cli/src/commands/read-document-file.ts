import { readFile } from 'node:fs/promises';
import type { Finding, GraphDocument } from '@cua-forge/spec/document';
import { parseDocument } from '@cua-forge/spec/document-io';
import { readSource } from '@cua-forge/spec/document-source';
import { ForgeError } from '@cua-forge/spec/errors';
import type { KindMeta } from '@cua-forge/spec/kind';
import { locateFindings } from '@cua-forge/spec/locate-findings';
import { validateDocument } from '@cua-forge/spec/validate-document';

/**
 * Reads a document of this machine and says all that is wrong with it, with lines; needs no server.
 * @throws ForgeError `file.unreadable`
 */
export async function readDocumentFile(
  file: string,
  kinds: readonly KindMeta[],
): Promise<{ document: GraphDocument | null; findings: Finding[] }> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ForgeError('file.unreadable', `The file ${file} cannot be read.`, {
      fix: 'Check its path and permissions.',
      place: { file },
      cause,
    });
  });
  const source = readSource(text, file);
  const { document, findings } = parseDocument(text, { source });
  if (document === null) return { document, findings };
  return {
    document,
    findings: [...findings, ...locateFindings(validateDocument(document, kinds), document, source)],
  };
}
