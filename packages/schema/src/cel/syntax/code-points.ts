/** Returns how to turn a place counted in UTF-16 units into one counted in code points, as CEL counts. */
export function codePointsOf(text: string): (index: number) => number {
  // Only pairs of surrogates make a difference.
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return (index) => index;
  return (index) => Array.from(text.slice(0, index)).length;
}

/** Returns line and column, both from 1, of a place counted in code points. */
export function lineAndColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = Array.from(text).slice(0, offset).join("");
  const lines = before.split("\n");
  return { line: lines.length, column: Array.from(lines.at(-1) ?? "").length + 1 };
}
