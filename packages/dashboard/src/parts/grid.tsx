import type { ComponentChildren, JSX } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";

import { scrollTopFor, visibleRange } from "./visible-range.ts";

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
  const columns = all.isCompact === true ? all.columns.filter(({ isSecondary }) => isSecondary !== true) : all.columns;
  const props = { ...all, columns };
  const { label, rows, keyOf, selected, levelOf, empty } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScroll(scroller, props);
  const { start, end } = visibleRange(rows.length, { ...view, rowHeight: ROW_HEIGHT });
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
              key={keyOf(row)}
              {...props}
              row={row}
              id={`${id}-${String(start + offset)}`}
              index={start + offset}
              template={template}
            />
          ))}
        </div>
      )}
    </div>
  );
}

interface GridRowProps<Row> extends GridProps<Row> {
  readonly row: Row;
  readonly id: string;
  readonly index: number;
  readonly template: string;
}

function GridRow<Row>(props: GridRowProps<Row>): JSX.Element {
  const { row, id, index, template, columns, keyOf, selected, levelOf, onSelect, classOf } = props;
  const level = levelOf?.(row);
  const isSelected = keyOf(row) === selected;
  return (
    <div
      role="row"
      id={id}
      class={`grid-row ${isSelected ? "is-selected" : ""} ${classOf?.(row) ?? ""}`}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-level={level?.level}
      aria-expanded={level?.isExpanded}
      style={{ gridTemplateColumns: template, transform: `translateY(${String(index * ROW_HEIGHT)}px)` }}
      onClick={(event) => {
        if (event.target instanceof Element && event.target.closest("button, a") !== null) return;
        onSelect(row, true);
      }}
    >
      {columns.map(({ key, isNumber, render }) => (
        <span key={key} role="gridcell" class={isNumber === true ? "cell number" : "cell"}>
          {render(row)}
        </span>
      ))}
    </div>
  );
}

interface View {
  readonly scrollTop: number;
  readonly height: number;
}

function useScroll<Row>(
  scroller: { readonly current: HTMLDivElement | null },
  { rows, keyOf, isFollowing = false, onFollowing, selected }: GridProps<Row>,
): View {
  const [view, setView] = useState<View>({ scrollTop: 0, height: 800 });
  const anchor = useRef<{ readonly key: string; readonly index: number } | undefined>(undefined);
  const following = useRef(isFollowing);
  following.current = isFollowing;
  const read = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const height = element.clientHeight - HEAD_HEIGHT;
    setView((last) =>
      last.scrollTop === element.scrollTop && last.height === height ? last : { scrollTop: element.scrollTop, height },
    );
  };
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const onScroll = (): void => {
      read();
      const isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 4;
      if (onFollowing !== undefined && following.current && !isAtEnd) onFollowing(false);
    };
    const observer = new ResizeObserver(read);
    observer.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    read();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [onFollowing === undefined]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const last = anchor.current;
    if (isFollowing) element.scrollTop = element.scrollHeight;
    else if (last !== undefined && element.scrollTop > 0) {
      const index = rows.findIndex((row) => keyOf(row) === last.key);
      if (index !== -1 && index !== last.index) element.scrollTop += (index - last.index) * ROW_HEIGHT;
    }
    read();
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
