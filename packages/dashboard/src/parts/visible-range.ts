/** Rows that are rendered beyond the visible ones, so that scrolling does not show gaps. */
const OVERSCAN = 8;

/** Returns the rows to render of a list with rows of one height: `[start, end)`. */
export function visibleRange(
  count: number,
  { scrollTop, height, rowHeight }: { readonly scrollTop: number; readonly height: number; readonly rowHeight: number },
): { readonly start: number; readonly end: number } {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const last = Math.ceil((Math.max(0, scrollTop) + height) / rowHeight);
  const start = Math.min(Math.max(0, first - OVERSCAN), Math.max(0, count - 1));
  return { start, end: Math.min(count, last + OVERSCAN) };
}

/** Returns how far a list has to scroll so that a row is visible. */
export function scrollTopFor(
  index: number,
  { scrollTop, height, rowHeight }: { readonly scrollTop: number; readonly height: number; readonly rowHeight: number },
): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + height) return top + rowHeight - height;
  return scrollTop;
}
