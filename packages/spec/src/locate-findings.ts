import { type Finding, type GraphDocument, MAIN_GRAPH } from './document.ts';
import type { DocumentSource, Path } from './document-source.ts';
import { graphOf } from './ports.ts';

/** Adds to findings about a document the lines of the source it was read from: of the param, the edge into the port, or the node they name. */
export function locateFindings(
  findings: readonly Finding[],
  document: GraphDocument,
  { lineOf }: Pick<DocumentSource, 'lineOf'>,
): Finding[] {
  return findings.map((finding) => {
    if (finding.line !== undefined) return finding;
    const path = pathOf(finding, document);
    const line = path.length === 0 ? undefined : lineOf(path);
    return line === undefined ? finding : { ...finding, line };
  });
}

function pathOf(finding: Finding, document: GraphDocument): Path {
  const name = finding.graph ?? MAIN_GRAPH;
  const graph = graphOf(document, name);
  const base: Path = name === MAIN_GRAPH ? [] : ['graphs', name];
  const index = graph?.nodes.findIndex((node) => node.id === finding.node) ?? -1;
  if (finding.param !== undefined && index >= 0)
    return [...base, 'nodes', index, 'params', ...finding.param.split('.')];
  if (finding.port !== undefined) {
    const end = `${finding.node ?? '$inputs'}.${finding.port}`;
    const edge = graph?.edges.findIndex(({ from, to }) => from === end || to === end) ?? -1;
    if (edge >= 0) return [...base, 'edges', edge];
    if (finding.node === undefined && graph !== undefined) {
      return [...base, Object.hasOwn(graph.inputs, finding.port) ? 'inputs' : 'outputs', finding.port];
    }
  }
  if (index >= 0) return [...base, 'nodes', index];
  const leads = (end: string) => end.startsWith(`${finding.node}.`);
  const edge = graph?.edges.findIndex(({ from, to }) => leads(from) || leads(to)) ?? -1;
  if (edge >= 0) return [...base, 'edges', edge];
  const output = Object.entries(graph?.outputs ?? {}).find(([, end]) => leads(end))?.[0];
  return output === undefined ? base : [...base, 'outputs', output];
}
