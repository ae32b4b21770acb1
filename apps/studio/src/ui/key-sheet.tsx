export type KeyRow = readonly [keys: string, what: string];

/** Keys under a title, each with what it does. */
export function KeyGroup({ title, rows }: { title: string; rows: readonly KeyRow[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className="keys">
        {rows.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
