import type { Change } from '@cua-forge/spec/document-diff';

const MOST = 200;

/** Differences of meaning between two documents; `changes` is null when one of them cannot be read. */
export function ChangeList({ title, changes }: { title: string; changes: readonly Change[] | null }) {
  return (
    <section className="stack tight">
      <h3>{title}</h3>
      {changes === null && <p className="hint">The stored document cannot be read.</p>}
      {changes?.length === 0 && <p className="hint">None in meaning; places of cards at most.</p>}
      <ul className="changes">
        {changes?.slice(0, MOST).map((change) => (
          <li key={`${change.graph}/${change.what}/${change.name}/${change.path ?? ''}/${change.change}`}>
            <span
              className={`badge ${change.change === 'added' ? 'ok' : change.change === 'removed' ? 'bad' : 'warn'}`}
            >
              {change.change}
            </span>
            <span className="grow">
              {change.what} <code>{change.name}</code> {change.path !== undefined && <code>{change.path}</code>}
              {change.change === 'changed' && (
                <span className="change-values mono">
                  <del>{shorten(change.before)}</del> <ins>{shorten(change.after)}</ins>
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      {changes !== null && changes.length > MOST && <p className="hint">and {changes.length - MOST} more</p>}
    </section>
  );
}

export function shorten(value: unknown): string {
  const text = value === undefined ? '—' : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}
