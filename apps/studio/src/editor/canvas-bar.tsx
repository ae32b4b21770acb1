import { CircleHelp, ClipboardPaste, Copy, Maximize, Network, Redo2, Trash2, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDocument } from '../document/document-store.ts';
import type { editorActions } from './editor-actions.ts';

interface CanvasBarProps {
  actions: ReturnType<typeof editorActions>;
  onFit(): void;
  onHelp(): void;
}

export function CanvasBar({ actions, onFit, onHelp }: CanvasBarProps) {
  const readOnly = useDocument((state) => state.readOnly);
  const canUndo = useDocument((state) => state.past.length > 0);
  const canRedo = useDocument((state) => state.future.length > 0);
  const selected = useDocument((state) => state.selection.size > 0);
  const anything = useDocument((state) => state.selection.size + state.selectedEdges.size > 0);
  return (
    <div className="row tight canvas-bar" role="toolbar" aria-label="Canvas">
      {!readOnly && (
        <>
          <Tool
            label="Undo (Ctrl+Z)"
            disabled={!canUndo}
            onClick={actions.undo}
            icon={<Undo2 size={15} aria-hidden />}
          />
          <Tool
            label="Redo (Ctrl+Shift+Z)"
            disabled={!canRedo}
            onClick={actions.redo}
            icon={<Redo2 size={15} aria-hidden />}
          />
          <span className="divider" />
          <Tool
            label="Duplicate (Ctrl+D)"
            disabled={!selected}
            onClick={actions.duplicate}
            icon={<Copy size={15} aria-hidden />}
          />
          <Tool
            label="Paste (Ctrl+V)"
            onClick={() => void actions.paste()}
            icon={<ClipboardPaste size={15} aria-hidden />}
          />
          <Tool
            label="Delete (Del)"
            disabled={!anything}
            onClick={actions.removeSelected}
            icon={<Trash2 size={15} aria-hidden />}
          />
          <span className="divider" />
          <Tool label="Arrange (L)" onClick={() => void actions.layout()} icon={<Network size={15} aria-hidden />} />
        </>
      )}
      <Tool label="Fit (F)" onClick={onFit} icon={<Maximize size={15} aria-hidden />} />
      <Tool label="Keys (?)" onClick={onHelp} icon={<CircleHelp size={15} aria-hidden />} />
    </div>
  );
}

function Tool({
  label,
  icon,
  disabled = false,
  onClick,
}: {
  label: string;
  icon: ReactNode;
  disabled?: boolean;
  onClick(): void;
}) {
  return (
    <button
      type="button"
      className="button quiet square"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
    </button>
  );
}
