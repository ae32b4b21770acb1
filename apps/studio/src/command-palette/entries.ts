import { type GraphDocument, MAIN_GRAPH } from '@cua-forge/spec/document';
import type { KindMeta } from '@cua-forge/spec/kind';
import { kindIndex } from '@cua-forge/spec/kind-index';
import { type EditorCommand, keyText } from '../editor/commands.ts';

/** One line of the command palette. */
export type PaletteEntry =
  | { type: 'command'; id: string; title: string; detail: string; keys: string; command: EditorCommand }
  | { type: 'node'; id: string; title: string; detail: string; keys: string; graph: string; node: string; kind: string }
  | { type: 'kind'; id: string; title: string; detail: string; keys: string; kind: KindMeta };

export function paletteEntries(
  commands: readonly EditorCommand[],
  document: GraphDocument,
  kinds: readonly KindMeta[],
  readOnly: boolean,
): PaletteEntry[] {
  const index = kindIndex(kinds);
  const graphs: [string, GraphDocument['nodes']][] = [
    [MAIN_GRAPH, document.nodes],
    ...Object.entries(document.graphs).map(([name, graph]): [string, GraphDocument['nodes']] => [name, graph.nodes]),
  ];
  return [
    ...commands
      .filter((command) => command.id !== 'palette' && command.available?.() !== false)
      .map(
        (command): PaletteEntry => ({
          type: 'command',
          id: `command:${command.id}`,
          title: command.title,
          detail: command.group,
          keys: command.keys?.[0] === undefined ? '' : keyText(command.keys[0]),
          command,
        }),
      ),
    ...graphs.flatMap(([graph, nodes]) =>
      nodes.map(
        (node): PaletteEntry => ({
          type: 'node',
          id: `node:${graph}/${node.id}`,
          title: node.title ?? node.id,
          detail: graph === MAIN_GRAPH ? node.id : `${node.id} in ${graph}`,
          keys: '',
          graph,
          node: node.id,
          kind: node.kind,
        }),
      ),
    ),
    ...(readOnly
      ? []
      : index.ids.flatMap((id): PaletteEntry[] => {
          const kind = index.newest(id);
          return kind === undefined
            ? []
            : [{ type: 'kind', id: `kind:${id}`, title: `Add ${kind.title}`, detail: kind.doc, keys: '', kind }];
        })),
  ];
}

/** Most lines that are shown at once; the next letter narrows them down. */
export const MOST_ENTRIES = 60;

/** Entries that hold every word, the best first: a title that begins with the words, one that has a word that begins so, then the rest. */
export function findEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries.slice(0, MOST_ENTRIES);
  const ranked: { entry: PaletteEntry; rank: number }[] = [];
  for (const entry of entries) {
    const title = entry.title.toLowerCase();
    const rest = `${title} ${entry.detail} ${entry.id}`.toLowerCase();
    if (!words.every((word) => rest.includes(word))) continue;
    const start = title.startsWith(text) || title === text;
    const rank = start
      ? 0
      : words.every((word) => title.split(/\W+/).some((part) => part.startsWith(word)))
        ? 1
        : words.every((word) => title.includes(word))
          ? 2
          : 3;
    ranked.push({ entry, rank });
  }
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MOST_ENTRIES)
    .map(({ entry }) => entry);
}
