import { Dialog } from '../ui/dialog.tsx';

const keys: readonly [string, string][] = [
  ['A', 'Find a node kind; ↓ and Enter add it'],
  ['C', 'Connect the selected card'],
  ['Tab, Enter', 'Go from card to card, select it'],
  ['Arrow keys', 'Move the selected cards'],
  ['Delete', 'Delete what is selected'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'Undo, redo'],
  ['Ctrl+C, Ctrl+X, Ctrl+V', 'Copy, cut, paste (across workflows)'],
  ['Ctrl+D', 'Duplicate'],
  ['Ctrl+A, Esc', 'Select all, nothing'],
  ['F', 'Fit all into view'],
  ['L', 'Arrange all, or what is selected'],
  ['Ctrl+S', 'Save'],
  ['Ctrl+Enter', 'Run'],
];

export function KeyHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
