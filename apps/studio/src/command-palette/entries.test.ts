import type { GraphDocument } from '@cua-forge/spec/document';
import { kinds } from '@cua-forge/spec/kinds';
import { describe, expect, it } from 'vitest';
import type { EditorCommand } from '../editor/commands.ts';
import { findEntries, MOST_ENTRIES, paletteEntries } from './entries.ts';

const command = (id: string, title: string, extra: Partial<EditorCommand> = {}): EditorCommand => ({
  id,
  title,
  group: 'Edit',
  run: () => {},
  ...extra,
});
const node = (id: string, title: string) => ({ id, kind: 'data.transform', version: 1, title, params: {} });
const document: GraphDocument = {
  forge: 1,
  id: 'sample',
  title: 'Sample',
  inputs: {},
  nodes: [node('total', 'Add the totals'), node('copy', 'Copy the sheet')],
  edges: [],
  outputs: {},
  graphs: { body: { inputs: {}, nodes: [node('inner', 'Inner step')], edges: [], outputs: {} } },
  layout: {},
};
const commands = [
  command('copy', 'Copy', { keys: ['Ctrl+c'] }),
  command('redo', 'Redo', { available: () => false }),
  command('palette', 'Find a command'),
];

describe('the command palette', () => {
  it('offers available commands with their keys, nodes of every graph, and kinds to add', () => {
    const entries = paletteEntries(commands, document, kinds, false);
    expect(entries.filter(({ type }) => type === 'command').map(({ title, keys }) => [title, keys])).toEqual([
      ['Copy', 'Ctrl+C'],
    ]);
    expect(entries.filter(({ type }) => type === 'node').map(({ detail }) => detail)).toEqual([
      'total',
      'copy',
      'inner in body',
    ]);
    expect(entries.some(({ id }) => id === 'kind:data.transform')).toBe(true);
    expect(paletteEntries(commands, document, kinds, true).some(({ type }) => type === 'kind')).toBe(false);
  });

  it('ranks titles that begin with the words first, and finds by id and sentence too', () => {
    const entries = paletteEntries(commands, document, kinds, false);
    expect(
      findEntries(entries, 'copy')
        .slice(0, 2)
        .map(({ id }) => id),
    ).toEqual(['command:copy', 'node:$main/copy']);
    expect(findEntries(entries, 'inner body')[0]?.id).toBe('node:body/inner');
    expect(findEntries(entries, 'data.transform').map(({ id }) => id)).toContain('kind:data.transform');
    expect(findEntries(entries, 'no such thing')).toEqual([]);
  });

  it('shows a bounded number of a large document', () => {
    const large = {
      ...document,
      nodes: Array.from({ length: 2000 }, (_, index) => node(`n${index}`, `Step ${index}`)),
    };
    expect(findEntries(paletteEntries([], large, [], false), 'step')).toHaveLength(MOST_ENTRIES);
    expect(findEntries(paletteEntries([], large, [], false), 'step 1999')[0]?.title).toBe('Step 1999');
  });
});
