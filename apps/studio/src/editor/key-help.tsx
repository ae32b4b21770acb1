import { Dialog } from '../ui/dialog.tsx';
import { KeyGroup } from '../ui/key-sheet.tsx';
import { commandGroups, type EditorCommand, keyText } from './commands.ts';

/** Keys that the canvas itself hears. */
const ofCanvas: readonly [string, string][] = [
  ['Tab, Enter', 'Go from card to card, select it'],
  ['Arrow keys', 'Move the selected cards'],
  ['Shift+drag', 'Select the cards in a rectangle'],
];

export function KeyHelp({ commands, onClose }: { commands: readonly EditorCommand[]; onClose(): void }) {
  const withKeys = commands.filter((command) => command.keys !== undefined && command.keys.length > 0);
  const groups = commandGroups
    .map((group) => ({ group, members: withKeys.filter((command) => command.group === group) }))
    .filter(({ members }) => members.length > 0);
  return (
    <Dialog wide title="Keys" onClose={onClose}>
      <div className="key-groups">
        {groups.map(({ group, members }) => (
          <KeyGroup
            key={group}
            title={group}
            rows={members.map(({ keys, title }) => [(keys ?? []).map(keyText).join(', '), title])}
          />
        ))}
        <KeyGroup title="Canvas" rows={ofCanvas} />
      </div>
    </Dialog>
  );
}
