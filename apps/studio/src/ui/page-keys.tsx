import { useEffect, useState } from 'react';
import { create } from 'zustand';
import { useShortcuts } from '../editor/use-shortcuts.ts';
import { Dialog } from './dialog.tsx';
import { KeyGroup, type KeyRow } from './key-sheet.tsx';

const noRows: readonly KeyRow[] = [];
const useRows = create<{ rows: readonly KeyRow[] }>(() => ({ rows: noRows }));

const everywhere: readonly KeyRow[] = [
  ['Tab, Enter', 'Go from control to control, use it'],
  ['Escape', 'Close a dialog or a menu'],
  ['?', 'Show these keys'],
];

/** Names the keys of the page for the sheet that ? opens. The list is the same object for as long as it says the same. */
export function usePageKeys(rows: readonly KeyRow[]): void {
  useEffect(() => {
    useRows.setState({ rows });
    return () => useRows.setState({ rows: noRows });
  }, [rows]);
}

/** The sheet of keys of pages without a canvas; a canvas has its own. */
export function PageKeys() {
  const rows = useRows((state) => state.rows);
  const [open, setOpen] = useState(false);
  useShortcuts({ '?': () => setOpen(document.querySelector('.workbench') === null) });
  if (!open) return null;
  return (
    <Dialog wide title="Keys" onClose={() => setOpen(false)}>
      <div className="key-groups">
        {rows.length > 0 && <KeyGroup title="This page" rows={rows} />}
        <KeyGroup title="Everywhere" rows={everywhere} />
      </div>
    </Dialog>
  );
}
