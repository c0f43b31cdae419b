import { readPath } from "../custom/json-path.ts";
import type { ColumnDefinition, TableColumns } from "../registry/resource-type.ts";

/** The first column of every table. */
export const NAME_COLUMN: ColumnDefinition = column("Name", {
  format: "name",
  description: "The name of the object, unique in its namespace",
});

/** The columns of kinds without columns of their own. */
export const DEFAULT_COLUMNS: TableColumns = {
  definitions: [NAME_COLUMN, column("Created At", { type: "date", description: "When the server created the object" })],
  cells: (object) => [readPath(object, ".metadata.name"), readPath(object, ".metadata.creationTimestamp")],
};

/** Makes a column; its type is string, and it is always shown, unless said otherwise. */
export function column(name: string, options: Partial<Omit<ColumnDefinition, "name">> = {}): ColumnDefinition {
  return { name, type: "string", format: "", description: name, priority: 0, ...options };
}
