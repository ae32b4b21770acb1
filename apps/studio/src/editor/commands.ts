import type { DocumentStore } from '../document/document-store.ts';
import type { Shortcuts } from './use-shortcuts.ts';

export const commandGroups = ['File', 'Edit', 'Add', 'Arrange', 'View', 'Run', 'Help'] as const;

/** Something a person can have done. Keys, palette, toolbar and help sheet all come from one list of these. */
export interface EditorCommand {
  id: string;
  title: string;
  group: (typeof commandGroups)[number];
  /** Chords as `chordOf` writes them; the first is the one that is shown. */
  keys?: readonly string[];
  /** False where it would do nothing now: it is not offered. Absent means always. */
  available?(): boolean;
  run(): void;
}

/** A chord as people read it: `Ctrl+Shift+Z`. */
export const keyText = (chord: string): string =>
  chord
    .split('+')
    .map((part) => (part.length === 1 ? part.toUpperCase() : part === 'Escape' ? 'Esc' : part))
    .join('+');

export function shortcutsOf(commands: readonly EditorCommand[]): Shortcuts {
  return Object.fromEntries(
    commands.flatMap((command) =>
      (command.keys ?? []).map((chord) => [
        chord,
        () => {
          if (command.available?.() !== false) command.run();
        },
      ]),
    ),
  );
}

/** What the parts of the editor do; the list of commands names it. */
export interface EditorParts {
  readOnly: boolean;
  store: DocumentStore;
  edit: ReturnType<typeof import('./editor-actions.ts').editorActions>;
  arrange: ReturnType<typeof import('./arrange-actions.ts').arrangeActions>;
  /** Middle of what the canvas shows, in canvas units. */
  center(): { x: number; y: number };
  onSave(): void;
  onRun(): void;
  fit(): void;
  zoom(by: 'in' | 'out' | 'whole'): void;
  findKind(): void;
  connect(): void;
  write(): void;
  toggleSnapping(): void;
  toggleTheme(): void;
  openPalette(): void;
  openHelp(): void;
  /** Runs a part of the graph: only the selected node, up to it, or from it. */
  runPart(mode: 'only' | 'to' | 'from'): void;
}

/** Every command of the editor. In a document that is only shown, those that change it are left out. */
export function editorCommands(parts: EditorParts): EditorCommand[] {
  const { store, edit, arrange, center } = parts;
  const chosen = (least: number) => () => store.getState().selection.size >= least;
  const one = () => store.getState().selection.size === 1;
  const writing: EditorCommand[] = [
    { id: 'save', title: 'Save', group: 'File', keys: ['Ctrl+s'], run: parts.onSave },
    {
      id: 'undo',
      title: 'Undo',
      group: 'Edit',
      keys: ['Ctrl+z'],
      available: () => store.getState().past.length > 0,
      run: edit.undo,
    },
    {
      id: 'redo',
      title: 'Redo',
      group: 'Edit',
      keys: ['Ctrl+Shift+z', 'Ctrl+y'],
      available: () => store.getState().future.length > 0,
      run: edit.redo,
    },
    { id: 'cut', title: 'Cut', group: 'Edit', keys: ['Ctrl+x'], available: chosen(1), run: edit.cut },
    {
      id: 'paste',
      title: 'Paste (also from other workflows)',
      group: 'Edit',
      keys: ['Ctrl+v'],
      run: () => void edit.paste(),
    },
    { id: 'duplicate', title: 'Duplicate', group: 'Edit', keys: ['Ctrl+d'], available: chosen(1), run: edit.duplicate },
    {
      id: 'delete',
      title: 'Delete what is selected',
      group: 'Edit',
      keys: ['Delete', 'Backspace'],
      available: () => store.getState().selection.size + store.getState().selectedEdges.size > 0,
      run: edit.removeSelected,
    },
    { id: 'find-kind', title: 'Find a node kind; ↓ and Enter add it', group: 'Add', keys: ['a'], run: parts.findKind },
    {
      id: 'connect',
      title: 'Connect the selected card',
      group: 'Add',
      keys: ['c'],
      available: one,
      run: parts.connect,
    },
    {
      id: 'note',
      title: 'Add a note',
      group: 'Add',
      keys: ['n'],
      run: () => {
        arrange.addNote(center());
        parts.write();
      },
    },
    {
      id: 'frame',
      title: 'Put a frame around the selected cards',
      group: 'Add',
      keys: ['g'],
      run: () => {
        arrange.addFrame(center());
        parts.write();
      },
    },
    {
      id: 'layout',
      title: 'Arrange all, or what is selected',
      group: 'Arrange',
      keys: ['l'],
      run: () => void edit.layout(),
    },
    ...(
      [
        ['left', 'Align left edges', 'Alt+a'],
        ['right', 'Align right edges', 'Alt+d'],
        ['top', 'Align top edges', 'Alt+w'],
        ['bottom', 'Align bottom edges', 'Alt+s'],
        ['center', 'Align centres on a vertical line', 'Alt+h'],
        ['middle', 'Align centres on a horizontal line', 'Alt+v'],
      ] as const
    ).map(
      ([to, title, chord]): EditorCommand => ({
        id: `align-${to}`,
        title,
        group: 'Arrange',
        keys: [chord],
        available: chosen(2),
        run: () => arrange.align(to),
      }),
    ),
    {
      id: 'distribute-horizontal',
      title: 'Equal gaps from left to right',
      group: 'Arrange',
      keys: ['Alt+Shift+h'],
      available: chosen(3),
      run: () => arrange.distribute('horizontal'),
    },
    {
      id: 'distribute-vertical',
      title: 'Equal gaps from top to bottom',
      group: 'Arrange',
      keys: ['Alt+Shift+v'],
      available: chosen(3),
      run: () => arrange.distribute('vertical'),
    },
    { id: 'snap', title: 'Put all, or what is selected, on the grid', group: 'Arrange', run: arrange.snapToGrid },
    {
      id: 'snapping',
      title: 'Snap to the grid while dragging, on or off',
      group: 'Arrange',
      keys: ['s'],
      run: parts.toggleSnapping,
    },
    { id: 'run', title: 'Run', group: 'Run', keys: ['Ctrl+Enter'], run: parts.onRun },
    {
      id: 'run-only',
      title: 'Run only the selected node',
      group: 'Run',
      available: one,
      run: () => parts.runPart('only'),
    },
    {
      id: 'run-to',
      title: 'Run up to the selected node',
      group: 'Run',
      available: one,
      run: () => parts.runPart('to'),
    },
    {
      id: 'run-from',
      title: 'Run from the selected node on',
      group: 'Run',
      available: one,
      run: () => parts.runPart('from'),
    },
  ];
  const always: EditorCommand[] = [
    { id: 'copy', title: 'Copy', group: 'Edit', keys: ['Ctrl+c'], available: chosen(1), run: edit.copy },
    { id: 'select-all', title: 'Select all', group: 'Edit', keys: ['Ctrl+a'], run: edit.selectAll },
    { id: 'select-none', title: 'Select nothing', group: 'Edit', keys: ['Escape'], run: edit.clearSelection },
    { id: 'fit', title: 'Fit all into view', group: 'View', keys: ['f'], run: parts.fit },
    { id: 'zoom-in', title: 'Zoom in', group: 'View', keys: ['=', '+'], run: () => parts.zoom('in') },
    { id: 'zoom-out', title: 'Zoom out', group: 'View', keys: ['-'], run: () => parts.zoom('out') },
    { id: 'zoom-whole', title: 'Zoom to 100 %', group: 'View', keys: ['1'], run: () => parts.zoom('whole') },
    { id: 'theme', title: 'Use the other theme (light, dark)', group: 'View', run: parts.toggleTheme },
    { id: 'palette', title: 'Find a command, node or kind', group: 'Help', keys: ['Ctrl+k'], run: parts.openPalette },
    { id: 'help', title: 'Show all keys', group: 'Help', keys: ['?'], run: parts.openHelp },
  ];
  return parts.readOnly ? always : [...writing, ...always];
}
