import { humanDuration } from "@kubescaffold/k8s";
import type { Condition, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";

/** A column of a table. */
export interface TableColumn<T> {
  /** The header, in upper case. */
  readonly header: string;
  /** Returns the text of a cell; `<none>` is printed for undefined and the empty text. */
  readonly value: (row: T) => string | number | boolean | undefined;
  /** Whether only `-o wide` prints the column. Default: false. */
  readonly isWide?: boolean;
}

/** The column with the names of objects. */
export const nameColumn: TableColumn<ReadonlyObject> = { header: "NAME", value: ({ metadata }) => metadata?.name };

/** The column with the namespaces of objects, which `--all-namespaces` prints first. */
export const namespaceColumn: TableColumn<ReadonlyObject> = {
  header: "NAMESPACE",
  value: ({ metadata }) => metadata?.namespace,
};

/** The column with the ages of objects. */
export const ageColumn: TableColumn<ReadonlyObject> = {
  header: "AGE",
  value: ({ metadata }) => ageOf(metadata?.creationTimestamp),
};

/** The columns of conditions, for a table of `conditionsOf(object)`. */
export const conditionColumns: readonly TableColumn<Condition>[] = [
  { header: "CONDITION", value: ({ type }) => type },
  { header: "STATUS", value: ({ status }) => status },
  { header: "REASON", value: ({ reason }) => reason },
  { header: "AGE", value: ({ lastTransitionTime }) => ageOf(lastTransitionTime) },
  { header: "MESSAGE", value: ({ message }) => message },
];

/** Returns the time since a timestamp as kubectl prints it, such as `5m`; `<unknown>` without one. */
export function ageOf(timestamp: unknown, now: number = Date.now()): string {
  const since = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(since) ? "<unknown>" : humanDuration(now - since);
}

/** Returns `status.conditions` of an object of any kind; an empty list if there are none. */
export function conditionsOf(object: unknown): readonly Condition[] {
  const status = isRecord(object) ? object["status"] : undefined;
  const conditions = isRecord(status) ? status["conditions"] : undefined;
  return Array.isArray(conditions) ? (conditions as unknown[]).filter((each): each is Condition => isRecord(each)) : [];
}

/** Returns the status of one condition of an object of any kind; undefined if it has none of this type. */
export function conditionStatus(object: unknown, type: string): string | undefined {
  return conditionsOf(object).find((each) => each.type === type)?.status;
}

/** How a table is printed. */
export interface TableOptions {
  readonly isWide: boolean;
  readonly hasHeaders: boolean;
}

/** Prints rows like kubectl: three spaces between two columns, the last column without padding. */
export function printTable<T>(
  rows: readonly T[],
  columns: readonly TableColumn<T>[],
  { isWide, hasHeaders }: TableOptions,
): string {
  const shown = columns.filter((column) => isWide || column.isWide !== true);
  const cells = rows.map((row) => shown.map(({ value }) => cellText(value(row))));
  return printCells(hasHeaders ? [shown.map(({ header }) => header), ...cells] : cells);
}

/** Prints rows of texts in columns. */
export function printCells(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, lengthOf(cell));
  const lines = rows.map((row) => row.map((cell, column) => padded(cell, row, { column, widths })).join(""));
  return lines.map((line) => `${line}\n`).join("");
}

interface Place {
  readonly column: number;
  readonly widths: readonly number[];
}

function padded(cell: string, row: readonly string[], { column, widths }: Place): string {
  if (column === row.length - 1) return cell;
  return cell + " ".repeat((widths[column] ?? 0) - lengthOf(cell) + GAP);
}

// As in kubectl, each code point is one cell wide.
function lengthOf(text: string): number {
  return Array.from(text).length;
}

const GAP = 3;

function cellText(value: string | number | boolean | undefined): string {
  const text = value === undefined ? "" : String(value);
  // A line break would end the row, and control characters could change what a terminal shows.
  return text === "" ? "<none>" : text.replaceAll(/[\r\n]+/gu, " ").replaceAll(/\p{Cc}/gu, "");
}
