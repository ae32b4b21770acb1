import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  CircleHelp,
  ClipboardPaste,
  Command,
  Copy,
  Frame,
  Grid3x3,
  type LucideIcon,
  Magnet,
  Maximize,
  Network,
  Redo2,
  StickyNote,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useView } from '../canvas/view-store.ts';
import { useDocument } from '../document/document-store.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { type EditorCommand, keyText } from './commands.ts';

/** Commands that stand in the bar, with the short name that a tooltip has room for; null is a divider. */
const tools: readonly ([id: string, name: string, icon: LucideIcon] | null)[] = [
  ['undo', 'Undo', Undo2],
  ['redo', 'Redo', Redo2],
  null,
  ['duplicate', 'Duplicate', Copy],
  ['paste', 'Paste', ClipboardPaste],
  ['delete', 'Delete', Trash2],
  null,
  ['note', 'Note', StickyNote],
  ['frame', 'Frame', Frame],
  ['layout', 'Arrange', Network],
];
const views: typeof tools = [
  ['fit', 'Fit', Maximize],
  ['palette', 'Commands', Command],
  ['help', 'Keys', CircleHelp],
];
const arranging: readonly [id: string, icon: LucideIcon][] = [
  ['align-left', AlignStartVertical],
  ['align-center', AlignCenterVertical],
  ['align-right', AlignEndVertical],
  ['align-top', AlignStartHorizontal],
  ['align-middle', AlignCenterHorizontal],
  ['align-bottom', AlignEndHorizontal],
  ['distribute-horizontal', AlignHorizontalDistributeCenter],
  ['distribute-vertical', AlignVerticalDistributeCenter],
  ['snap', Grid3x3],
];

export function CanvasBar({ commands }: { commands: readonly EditorCommand[] }) {
  const readOnly = useDocument((state) => state.readOnly);
  // What is available follows from these; the commands themselves look when they are asked.
  useDocument((state) => `${state.past.length > 0}${state.future.length > 0}${state.selectedEdges.size > 0}`);
  useDocument((state) => Math.min(3, state.selection.size));
  const snapping = useView((state) => state.snapping);
  const byId = new Map(commands.map((command) => [command.id, command]));
  const tool = (entry: (typeof tools)[number], index: number) => {
    if (entry === null) return <span key={`divider-${index}`} className="divider" />;
    const [id, name, Icon] = entry;
    const command = byId.get(id);
    return command === undefined ? null : <Tool key={id} command={command} name={name} icon={Icon} />;
  };
  return (
    <div className="row tight canvas-bar" role="toolbar" aria-label="Canvas">
      {!readOnly && (
        <>
          {tools.map(tool)}
          <Menu label="Align" className="button quiet square" trigger={<AlignStartVertical size={15} aria-hidden />}>
            {arranging.map(([id, Icon]) => {
              const command = byId.get(id);
              if (command === undefined) return null;
              const key = command.keys?.[0];
              return (
                <MenuItem
                  key={id}
                  icon={<Icon size={14} aria-hidden />}
                  disabled={command.available?.() === false}
                  onSelect={command.run}
                  {...(key === undefined ? {} : { keys: keyText(key) })}
                >
                  {command.title}
                </MenuItem>
              );
            })}
          </Menu>
          <button
            type="button"
            className="button quiet square"
            aria-label="Snap to the grid (S)"
            title="Snap to the grid (S)"
            aria-pressed={snapping}
            onClick={() => useView.getState().toggleSnapping()}
          >
            <Magnet size={15} aria-hidden />
          </button>
          <span className="divider" />
        </>
      )}
      {views.map(tool)}
    </div>
  );
}

function Tool({ command, name, icon: Icon }: { command: EditorCommand; name: string; icon: LucideIcon }) {
  const key = command.keys?.[0];
  const label = key === undefined ? name : `${name} (${key === 'Delete' ? 'Del' : keyText(key)})`;
  return (
    <button
      type="button"
      className="button quiet square"
      aria-label={label}
      title={label}
      disabled={command.available?.() === false}
      onClick={command.run}
    >
      <Icon size={15} aria-hidden />
    </button>
  );
}
