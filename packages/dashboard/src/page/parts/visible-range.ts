/** Rows that are rendered beyond the visible ones, so that scrolling does not show gaps. */
const OVERSCAN = 8;
/** The same while the list moves: fewer rows are sooner rendered. */
const OVERSCAN_WHILE_MOVING = 2;

/** Rows of a list: `[start, end)`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** What is visible of a list with rows of one height. */
export interface ListView {
  readonly scrollTop: number;
  readonly height: number;
  readonly rowHeight: number;
}

/** Returns the rows to render once a list has stopped. */
export function visibleRange(count: number, view: ListView): RowRange {
  return rangeWith(OVERSCAN, count, view);
}

/** Returns the rows to render while a list moves: those that are rendered, if these are all that is visible. */
export function rangeWhileMoving(count: number, view: ListView, rendered: RowRange): RowRange {
  const visible = rangeWith(0, count, view);
  const isRendered = rendered.start <= visible.start && rendered.end >= visible.end;
  return isRendered
    ? { start: rendered.start, end: Math.min(rendered.end, count) }
    : rangeWith(OVERSCAN_WHILE_MOVING, count, view);
}

function rangeWith(overscan: number, count: number, { scrollTop, height, rowHeight }: ListView): RowRange {
  const first = Math.floor(Math.max(0, scrollTop) / rowHeight);
  const last = Math.ceil((Math.max(0, scrollTop) + height) / rowHeight);
  const start = Math.min(Math.max(0, first - overscan), Math.max(0, count - 1));
  return { start, end: Math.min(count, last + overscan) };
}

/** Returns the greatest number of rows that are rendered at once, for a list of this height. */
export function mostRendered(height: number, rowHeight: number): number {
  return Math.ceil(Math.max(0, height) / rowHeight) + 1 + 2 * OVERSCAN;
}

/** Returns how far a list has to scroll so that a row is visible. */
export function scrollTopFor(index: number, { scrollTop, height, rowHeight }: ListView): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  if (top + rowHeight > scrollTop + height) return top + rowHeight - height;
  return scrollTop;
}
