import { humanDuration } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../storage/api-object.ts";
import { objectIn, objectsIn, textIn } from "../fields.ts";
import type { ColumnDefinition, TableColumns } from "../registry.ts";

/** A column of a built-in kind: its heading, and what stands in it. */
export interface Column {
  readonly definition: ColumnDefinition;
  readonly cell: (object: MutableJsonObject, nowMs: number) => unknown;
}

/** The first column of most tables. */
export const NAME: Column = column("Name", (object) => textIn(objectIn(object, "metadata"), "name"), {
  format: "name",
  description: "The name of the object, unique in its namespace",
});

/** How long ago an object was created. */
export const AGE: Column = column("Age", (object, nowMs) => ageOf(object, nowMs), {
  description: "How long ago the object was created",
});

/** When an object was created. */
export const CREATED_AT: Column = column(
  "Created At",
  (object) => textIn(objectIn(object, "metadata"), "creationTimestamp"),
  { type: "date", description: "When the object was created" },
);

/** Creates a column; its type is string, and it is always shown, unless said otherwise. */
export function column(
  name: string,
  cell: Column["cell"],
  options: Partial<Omit<ColumnDefinition, "name">> = {},
): Column {
  return { cell, definition: { name, type: "string", format: "", description: name, priority: 0, ...options } };
}

/** Creates a column that only the wide form shows. */
export function wide(name: string, cell: Column["cell"]): Column {
  return column(name, cell, { priority: 1 });
}

/** Creates a column of numbers. */
export function count(name: string, cell: Column["cell"]): Column {
  return column(name, cell, { type: "integer" });
}

/** Creates the table of columns. */
export function tableOf(columns: readonly Column[]): TableColumns {
  return {
    definitions: columns.map(({ definition }) => definition),
    cells: (object, nowMs) => columns.map(({ cell }) => cell(object, nowMs)),
  };
}

/** Prints the age of an object. */
function ageOf(object: MutableJsonObject, nowMs: number): string {
  return printAge(textIn(objectIn(object, "metadata"), "creationTimestamp"), nowMs);
}

/** Prints a number or a text; a marker stands for anything else. */
export function scalarText(value: unknown, none: string): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : none;
}

/** Joins texts; a marker stands for none. */
export function joined(texts: readonly string[], none: string = "<none>"): string {
  return texts.length === 0 ? none : texts.join(",");
}

/** Returns the columns that show the containers of a template in the wide form. */
export function containerColumns(
  podSpecOf: (object: MutableJsonObject) => MutableJsonObject | undefined,
): readonly Column[] {
  const listed = (field: string) => (object: MutableJsonObject) =>
    joined(
      objectsIn(podSpecOf(object), "containers").map((container) => textIn(container, field)),
      "",
    );
  return [wide("Containers", listed("name")), wide("Images", listed("image"))];
}

/** Prints how long ago a moment was, in the short form of kubectl; `<unknown>` without a moment, `<invalid>` for one that cannot be read. */
export function printAge(time: string | undefined, nowMs: number): string {
  if (time === undefined || time === "") {
    return "<unknown>";
  }
  const sinceMs = nowMs - Date.parse(time);
  return Number.isNaN(sinceMs) ? "<invalid>" : humanDuration(sinceMs);
}
