/** Returns the lines of a table, whose first row has a cell for each column; `gap` is between two columns. */
export function alignColumns(rows: readonly (readonly string[])[], gap: string): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}
