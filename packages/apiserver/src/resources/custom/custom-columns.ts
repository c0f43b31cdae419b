import { readAll } from "../json-path.ts";
import type { ColumnDefinition, TableColumns } from "../resource-type.ts";
import { NAME } from "../table/columns.ts";
import { printAge } from "../table/print-age.ts";
import type { CrdColumn, CrdVersion } from "./crd-object.ts";

const AGE: CrdColumn = { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp", description: "" };

/** Returns the columns of a version of a custom resource. */
export function customColumns({ additionalPrinterColumns }: CrdVersion): TableColumns {
  const columns =
    additionalPrinterColumns === undefined || additionalPrinterColumns.length === 0 ? [AGE] : additionalPrinterColumns;
  return {
    definitions: [NAME.definition, ...columns.map((entry) => definitionOf(entry))],
    cells: (object, nowMs) => [nameOf(object), ...columns.map((entry) => cellOf(entry, object, nowMs))],
  };
}

function definitionOf({
  name,
  type,
  format = "",
  description = "",
  priority = 0,
  jsonPath,
}: CrdColumn): ColumnDefinition {
  const text = description === "" ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : description;
  return { name, type, format, priority, description: text };
}

function nameOf(object: { readonly [field: string]: unknown }): unknown {
  return (object["metadata"] as { readonly name?: string } | undefined)?.name;
}

function cellOf({ type, jsonPath }: CrdColumn, object: unknown, nowMs: number): unknown {
  const values = readAll(object, jsonPath);
  const [value] = values;
  if (value === undefined || value === null) {
    return null;
  }
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? printAge(value, nowMs) : "<invalid>";
    default:
      return values.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join(" ");
  }
}
