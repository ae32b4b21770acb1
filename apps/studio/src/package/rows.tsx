/** Texts in rows and columns, without headings. */
export function Rows({ rows }: { rows: readonly (readonly string[])[] }) {
  return (
    <table className="grid paper-table">
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
          <tr key={index}>
            {row.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place
              <td key={at}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
