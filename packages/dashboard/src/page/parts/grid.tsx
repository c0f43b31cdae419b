import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { inOwnTask } from "../state/own-task.ts";
import { mostRendered, rangeWhileMoving, type RowRange, scrollTopFor, visibleRange } from "./visible-range.ts";

/** A column of a grid. Its width is a track of CSS grid. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  readonly width: string;
  readonly isNumber?: boolean;
  /** Left out where there is little room, such as beside details. */
  readonly isSecondary?: boolean;
  readonly render: (row: Row) => ComponentChildren;
}

/** The place of a row in a tree. */
interface RowLevel {
  readonly level: number;
  /** Undefined for rows without children. */
  readonly isExpanded: boolean | undefined;
}

interface GridProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Leaves out secondary columns. */
  readonly isCompact?: boolean;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selected: string;
  readonly onSelect: (row: Row, isOpened: boolean) => void;
  readonly classOf?: (row: Row) => string;
  /** Makes it a tree. */
  readonly levelOf?: (row: Row) => RowLevel;
  readonly onToggle?: (row: Row, isExpanded: boolean) => void;
  /** Stays at the end while rows are added. */
  readonly isFollowing?: boolean;
  readonly onFollowing?: (isFollowing: boolean) => void;
  readonly empty: ComponentChildren;
}

/** The height of a row in pixels, the same as in the style sheet. */
const ROW_HEIGHT = 28;
const HEAD_HEIGHT = 28;

/**
 * A table or tree that renders only its visible rows, with the keyboard of a grid.
 *
 * One element has the focus, and refers to the selected row, so that the focus survives rows that come and go. Rows above the visible ones may be added without moving these.
 */
export function Grid<Row>(all: GridProps<Row>): JSX.Element {
  const columns = useMemo(
    () => (all.isCompact === true ? all.columns.filter(({ isSecondary }) => isSecondary !== true) : all.columns),
    [all.columns, all.isCompact],
  );
  const props = { ...all, columns };
  const { label, rows, keyOf, selected, levelOf, classOf, empty } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScroll(scroller, props);
  const { start, end } = useRendered(rows.length, view);
  const slots = Math.max(mostRendered(view.height, ROW_HEIGHT), end - start);
  const onOpen = useRef<(row: Row) => void>(() => undefined);
  onOpen.current = (row) => props.onSelect(row, true);
  const selectedIndex = selected === "" ? -1 : rows.findIndex((row) => keyOf(row) === selected);
  const isRendered = selectedIndex >= start && selectedIndex < end;
  const template = columns.map(({ width }) => width).join(" ");
  return (
    <div
      ref={scroller}
      class="grid"
      role={levelOf === undefined ? "grid" : "treegrid"}
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length}
      aria-activedescendant={isRendered ? `${id}-${String(selectedIndex)}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => onKey(event, props, { selectedIndex, scroller })}
    >
      <div role="rowgroup" class="grid-head">
        <div role="row" class="grid-row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
          {columns.map(({ key, title, isNumber }) => (
            <span key={key} role="columnheader" class={isNumber === true ? "cell number" : "cell"}>
              {title}
            </span>
          ))}
        </div>
      </div>
      {rows.length === 0 ? (
        <div class="grid-empty">{empty}</div>
      ) : (
        <div role="rowgroup" class="grid-body" style={{ height: `${String(rows.length * ROW_HEIGHT)}px` }}>
          {rows.slice(start, end).map((row, offset) => (
            <GridRow
              // Elements of rows that leave are those of rows that enter: creating them is what costs most while scrolling.
              key={(start + offset) % slots}
              row={row}
              id={`${id}-${String(start + offset)}`}
              index={start + offset}
              columns={columns}
              template={template}
              isSelected={start + offset === selectedIndex}
              className={classOf?.(row) ?? ""}
              level={levelOf?.(row)}
              onOpen={onOpen}
            />
          ))}
        </div>
      )}
    </div>
  );
}

interface GridRowProps<Row> extends Pick<GridProps<Row>, "columns"> {
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  readonly template: string;
  readonly isSelected: boolean;
  readonly className: string;
  readonly level: RowLevel | undefined;
  readonly onOpen: { readonly current: (row: Row) => void };
}

// A row whose inputs are those of its last rendering keeps its elements, without a comparison of them.
function GridRow<Row>(props: GridRowProps<Row>): JSX.Element {
  const { row, id, index, template, columns, isSelected, className, onOpen } = props;
  const { level, isExpanded } = props.level ?? {};
  const cells = useMemo(
    () =>
      columns.map(({ key, isNumber, render }) => (
        <span key={key} role="gridcell" class={isNumber === true ? "cell number" : "cell"}>
          {render(row)}
        </span>
      )),
    [row, columns],
  );
  return useMemo(
    () => (
      <div
        role="row"
        id={id}
        class={`grid-row ${isSelected ? "is-selected" : ""} ${className}`}
        aria-rowindex={index + 2}
        aria-selected={isSelected}
        aria-level={level}
        aria-expanded={isExpanded}
        style={{ gridTemplateColumns: template, transform: `translateY(${String(index * ROW_HEIGHT)}px)` }}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest("button, a") !== null) return;
          onOpen.current(row);
        }}
      >
        {cells}
      </div>
    ),
    [cells, id, index, template, isSelected, className, level, isExpanded],
  );
}

interface View {
  readonly scrollTop: number;
  readonly height: number;
  /** Whether it has not moved for a while. */
  readonly isAtRest: boolean;
}

const REST_MS = 60;

// Rows beyond the visible ones are rendered when the list is at rest, in another task than the visible ones.
function useRendered(count: number, view: View): RowRange {
  const last = useRef<RowRange>({ start: 0, end: 0 });
  const list = { ...view, rowHeight: ROW_HEIGHT };
  const range = view.isAtRest ? visibleRange(count, list) : rangeWhileMoving(count, list, last.current);
  useLayoutEffect(() => {
    last.current = range;
  });
  return range;
}

function useScroll<Row>(
  scroller: { readonly current: HTMLDivElement | null },
  { rows, keyOf, isFollowing = false, onFollowing, selected }: GridProps<Row>,
): View {
  const [view, setView] = useState<View>({ scrollTop: 0, height: 800, isAtRest: false });
  const anchor = useRef<{ readonly key: string; readonly index: number } | undefined>(undefined);
  const following = useRef(isFollowing);
  following.current = isFollowing;
  const show = (scrollTop: number, height: number): void =>
    setView((last) =>
      last.scrollTop === scrollTop && last.height === height ? last : { scrollTop, height, isAtRest: false },
    );
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let next: Pick<View, "scrollTop" | "height"> | undefined;
    // The frame of an event has its own work; the position is read here, where everything is laid out.
    const showSoon = (): void => {
      const isWaiting = next !== undefined;
      next = { scrollTop: element.scrollTop, height: element.clientHeight - HEAD_HEIGHT };
      if (isWaiting) return;
      inOwnTask(() => {
        if (next !== undefined) show(next.scrollTop, next.height);
        next = undefined;
      });
    };
    const onScroll = (): void => {
      showSoon();
      if (onFollowing === undefined || !following.current) return;
      if (element.scrollTop + element.clientHeight < element.scrollHeight - 4) onFollowing(false);
    };
    const observer = new ResizeObserver(showSoon);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [onFollowing === undefined]);
  useEffect(() => {
    if (view.isAtRest) return;
    const timer = setTimeout(() => setView((last) => ({ ...last, isAtRest: true })), REST_MS);
    return () => clearTimeout(timer);
  }, [view]);
  // Reading the position would lay out the rows that were just rendered.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const last = anchor.current;
    if (isFollowing) {
      element.scrollTop = element.scrollHeight;
      show(element.scrollTop, element.clientHeight - HEAD_HEIGHT);
    } else if (last !== undefined && view.scrollTop > 0) {
      const index = rows.findIndex((row) => keyOf(row) === last.key);
      if (index === -1 || index === last.index) return;
      element.scrollTop += (index - last.index) * ROW_HEIGHT;
      show(element.scrollTop, view.height);
    }
  }, [rows, isFollowing]);
  // What a link selects is scrolled to once.
  useEffect(() => {
    const index = selected === "" ? -1 : rows.findIndex((row) => keyOf(row) === selected);
    if (index === -1) return;
    const frame = requestAnimationFrame(() => scrollTo(scroller, index));
    return () => cancelAnimationFrame(frame);
  }, [rows.length > 0]);
  const first = rows[Math.floor(view.scrollTop / ROW_HEIGHT)];
  anchor.current =
    first === undefined ? undefined : { key: keyOf(first), index: Math.floor(view.scrollTop / ROW_HEIGHT) };
  return view;
}

function scrollTo(scroller: { readonly current: HTMLDivElement | null }, index: number): void {
  const element = scroller.current;
  if (element === null) return;
  const height = element.clientHeight - HEAD_HEIGHT;
  element.scrollTop = scrollTopFor(index, { scrollTop: element.scrollTop, height, rowHeight: ROW_HEIGHT });
}

interface KeyContext {
  readonly selectedIndex: number;
  readonly scroller: { readonly current: HTMLDivElement | null };
}

function onKey<Row>(event: KeyboardEvent, props: GridProps<Row>, { selectedIndex, scroller }: KeyContext): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target !== scroller.current) return;
  const { rows, onSelect, levelOf, onToggle, onFollowing } = props;
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_HEIGHT) - 2);
  const target = targetOf(event.key, { selectedIndex, page, count: rows.length });
  if (target !== undefined) {
    const row = rows[target];
    if (row === undefined) return;
    event.preventDefault();
    onFollowing?.(false);
    onSelect(row, false);
    scrollTo(scroller, target);
    return;
  }
  const row = rows[selectedIndex];
  if (row === undefined) return;
  const level = levelOf?.(row);
  if (event.key === "Enter") onSelect(row, true);
  else if (event.key === "ArrowRight" && level?.isExpanded === false) onToggle?.(row, true);
  else if (event.key === "ArrowLeft" && level?.isExpanded === true) onToggle?.(row, false);
  else if (event.key === "ArrowLeft" && level !== undefined) {
    const parent = rows.slice(0, selectedIndex).findLastIndex((each) => (levelOf?.(each).level ?? 0) < level.level);
    const parentRow = rows[parent];
    if (parentRow !== undefined) onSelect(parentRow, false);
    if (parent !== -1) scrollTo(scroller, parent);
  } else return;
  event.preventDefault();
}

function targetOf(
  key: string,
  { selectedIndex, page, count }: { readonly selectedIndex: number; readonly page: number; readonly count: number },
): number | undefined {
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
    case "j":
      return Math.min(last, selectedIndex + 1);
    case "ArrowUp":
    case "k":
      return Math.max(0, selectedIndex - 1);
    case "PageDown":
      return Math.min(last, selectedIndex + page);
    case "PageUp":
      return Math.max(0, selectedIndex - page);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
