import type { Json } from '@cua-forge/spec/json';
import { useState } from 'react';

const PAGE = 100;
const LONG = 400;

/** A whole value as a tree. */
export function TreeValue({ value }: { value: Json }) {
  return (
    <div className="tree-root mono">
      <JsonTree value={value} />
    </div>
  );
}

/** JSON as a tree that opens level by level; long lists and texts are shown in parts. */
function JsonTree({ value, name, depth = 0 }: { value: Json; name?: string; depth?: number }) {
  const [open, setOpen] = useState(depth < 1);
  const [shown, setShown] = useState(PAGE);
  if (typeof value !== 'object' || value === null) {
    return (
      <div className="tree-leaf">
        {name !== undefined && <span className="tree-key">{name}: </span>}
        <Scalar value={value} />
      </div>
    );
  }
  const entries: [string, Json][] = Array.isArray(value)
    ? value.map((each, index) => [String(index), each])
    : Object.entries(value);
  const size = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details className="tree" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {name !== undefined && <span className="tree-key">{name} </span>}
        <span className="muted">{size}</span>
      </summary>
      {open && (
        <div className="tree-members">
          {entries.slice(0, shown).map(([key, each]) => (
            <JsonTree key={key} name={key} value={each} depth={depth + 1} />
          ))}
          {entries.length > shown && (
            <button type="button" className="button quiet compact" onClick={() => setShown(shown + PAGE)}>
              {entries.length - shown} more
            </button>
          )}
        </div>
      )}
    </details>
  );
}

function Scalar({ value }: { value: string | number | boolean | null }) {
  const [whole, setWhole] = useState(false);
  if (typeof value !== 'string')
    return <span className={`tree-${value === null ? 'null' : typeof value}`}>{String(value)}</span>;
  const cut = value.length > LONG && !whole;
  return (
    <span className="tree-string">
      {cut ? value.slice(0, LONG) : value}
      {cut && (
        <button type="button" className="button quiet compact" onClick={() => setWhole(true)}>
          … {value.length - LONG} more characters
        </button>
      )}
    </span>
  );
}
