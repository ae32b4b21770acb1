import { readFileSync } from 'node:fs';
import type { GraphDocument } from '@cua-forge/spec/document';
import { describe, expect, it, vi } from 'vitest';
import { createDocumentStore } from '../document/document-store.ts';
import { commandGroups, type EditorParts, editorCommands, keyText, shortcutsOf } from './commands.ts';
import { chordOf } from './use-shortcuts.ts';

const document: GraphDocument = {
  forge: 1,
  id: 'sample',
  title: 'Sample',
  inputs: {},
  nodes: ['a', 'b'].map((id) => ({ id, kind: 'data.transform', version: 1, params: {} })),
  edges: [],
  outputs: {},
  graphs: {},
  layout: {},
};

function parts(readOnly = false) {
  const store = createDocumentStore(document, { revision: 1, readOnly });
  const called: string[] = [];
  const recorder = <T extends object>(name: string): T =>
    new Proxy(Object.create(null), {
      get: (_target, member) => () => {
        called.push(`${name}.${String(member)}`);
      },
    });
  const made: EditorParts = {
    ...recorder<EditorParts>('parts'),
    readOnly,
    store,
    edit: recorder('edit'),
    arrange: recorder('arrange'),
    center: () => ({ x: 0, y: 0 }),
    onSave: vi.fn(),
    onRun: vi.fn(),
    fit: vi.fn(),
    zoom: vi.fn(),
    findKind: vi.fn(),
    connect: vi.fn(),
    write: vi.fn(),
    toggleSnapping: vi.fn(),
    toggleTheme: vi.fn(),
    openPalette: vi.fn(),
    openHelp: vi.fn(),
    runPart: vi.fn(),
  };
  return { made, store, called };
}

const stroke = (key: string, held: { ctrl?: boolean; alt?: boolean; shift?: boolean } = {}) =>
  chordOf({
    key,
    ctrlKey: held.ctrl ?? false,
    altKey: held.alt ?? false,
    shiftKey: held.shift ?? false,
    metaKey: false,
  });

describe('the list of commands', () => {
  it('gives no key and no id to two commands, and every command a known group', () => {
    const commands = editorCommands(parts().made);
    const keys = commands.flatMap((command) => command.keys ?? []);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length);
    for (const { group } of commands) expect(commandGroups).toContain(group);
  });

  it('holds chords as a keyboard makes them', () => {
    const shortcuts = shortcutsOf(editorCommands(parts().made));
    for (const chord of [
      stroke('z', { ctrl: true }),
      stroke('Z', { ctrl: true, shift: true }),
      stroke('k', { ctrl: true }),
      stroke('A', { alt: true }),
      stroke('H', { alt: true, shift: true }),
      stroke('?', { shift: true }),
      stroke('Delete'),
    ])
      expect(Object.keys(shortcuts), chord).toContain(chord);
  });

  it('does nothing for a command that is not available', () => {
    const { made, store, called } = parts();
    const shortcuts = shortcutsOf(editorCommands(made));
    shortcuts['Alt+a']?.();
    expect(called).toEqual([]);
    store.getState().select(['a', 'b']);
    shortcuts['Alt+a']?.();
    expect(called).toEqual(['arrange.align']);
  });

  it('leaves out what changes a document that is only shown', () => {
    const ids = editorCommands(parts(true).made).map(({ id }) => id);
    expect(ids).toContain('fit');
    for (const id of ['save', 'delete', 'layout', 'paste', 'run', 'align-left']) expect(ids).not.toContain(id);
  });

  it('writes chords for people', () => {
    expect(keyText('Ctrl+Shift+z')).toBe('Ctrl+Shift+Z');
    expect(keyText('Escape')).toBe('Esc');
  });

  it('is what the page about the studio tells of', () => {
    const page = readFileSync(new URL('../../../../docs/authoring/studio.md', import.meta.url), 'utf8');
    for (const command of editorCommands(parts().made)) {
      const key = command.keys?.[0];
      if (key !== undefined) expect(page, command.title).toContain(`| ${keyText(key)} | ${command.title} |`);
    }
  });
});
