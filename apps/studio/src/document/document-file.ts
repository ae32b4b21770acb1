import { type Finding, GraphDocument, MAIN_GRAPH, NodeId } from '@cua-forge/spec/document';

/** Reads a document from YAML or JSON text. The reader loads with the first use. */
export async function readDocumentFile(
  text: string,
  file: string,
): Promise<{ document: GraphDocument | null; findings: Finding[] }> {
  const { parseDocument } = await import('@cua-forge/spec/document-io');
  return parseDocument(text, { file });
}

/** Offers the document as a YAML file for download. */
export async function downloadYaml(graph: GraphDocument): Promise<void> {
  const { serializeYaml } = await import('@cua-forge/spec/document-io');
  const url = URL.createObjectURL(new Blob([serializeYaml(graph)], { type: 'application/yaml' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${graph.id}.yaml`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function emptyDocument(id: string, title: string): GraphDocument {
  return GraphDocument.parse({
    forge: 1,
    id,
    title,
    nodes: [],
    layout: { [MAIN_GRAPH]: { $inputs: { x: 0, y: 0 }, $outputs: { x: 760, y: 0 } } },
  });
}

/** An id made from a title; `workflow` when the title has no usable character. */
export function idFromTitle(title: string): string {
  const id = title
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 60);
  return NodeId.safeParse(id).success ? id : 'workflow';
}
