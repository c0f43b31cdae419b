import { goJson, goValue } from "@kubescaffold/k8s";
import type { ListOf, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { printYaml } from "@kubescaffold/k8s/yaml";

import { indentJson } from "./indent-json.ts";
import type { OutputFormat } from "./output-format.ts";
import { namespaceColumn, printCells, printTable, type TableColumn } from "./table.ts";

/** Prints objects in the format of `--output`. */
export interface ObjectPrinter {
  /**
   * Prints an object or a list: as a table of the columns, or in the format of `--output`. With `--all-namespaces`, a table starts with the namespaces.
   * For a table of an empty list, standard error gets `No resources found`.
   */
  readonly objects: <T extends ReadonlyObject>(objects: T | ObjectList<T>, columns: readonly TableColumn<T>[]) => void;
  /** Prints a table of any rows, whatever `--output` is. */
  readonly table: <T>(rows: readonly T[], columns: readonly TableColumn<T>[]) => void;
  /** Whether `--output` requests objects, and no table: a command that prints tables of parts of an object prints the object then. */
  readonly isForPrograms: boolean;
}

/** Where and how a printer prints. */
export interface PrinterOptions {
  readonly format: OutputFormat;
  readonly hasHeaders: boolean;
  /** Whether the objects are of all namespaces. */
  readonly isEverywhere: boolean;
  /** The namespace of an empty list, for its message. */
  readonly namespace: () => string | undefined;
  readonly write: (text: string) => void;
  readonly warn: (text: string) => void;
}

/** Creates the printer of a call. */
export function createPrinter({
  format,
  hasHeaders,
  isEverywhere,
  namespace,
  write,
  warn,
}: PrinterOptions): ObjectPrinter {
  const options = { isWide: format.kind === "table" && format.isWide, hasHeaders };
  return {
    isForPrograms: format.kind !== "table",
    table: (rows, columns) => write(printTable(rows, columns, options)),
    objects: (objects, columns) => {
      const items = itemsOf(objects);
      if (format.kind !== "table") {
        write(printForPrograms(objects, { format, hasHeaders }));
        return;
      }
      if (items.length === 0) {
        const place = isEverywhere ? undefined : namespace();
        warn(place === undefined ? "No resources found\n" : `No resources found in ${place} namespace.\n`);
        return;
      }
      write(printTable(items, isEverywhere ? [namespaceColumn, ...columns] : columns, options));
    },
  };
}

function itemsOf<T extends ReadonlyObject>(objects: T | ObjectList<T>): readonly T[] {
  return isList(objects) ? objects.items : [objects];
}

/** Objects in a list, such as the result of `list` of a client. */
export type ObjectList<T extends ReadonlyObject> = Pick<ListOf<T>, "items" | "metadata">;

// Objects of a kind may have a field of this name, too; lists have no names.
function isList<T extends ReadonlyObject>(objects: T | ObjectList<T>): objects is ObjectList<T> {
  return "items" in objects && Array.isArray(objects.items) && !("name" in (objects.metadata ?? {}));
}

type ProgramFormat = Exclude<OutputFormat, { readonly kind: "table" }>;

function printForPrograms<T extends ReadonlyObject>(
  objects: T | ObjectList<T>,
  { format, hasHeaders }: { readonly format: ProgramFormat; readonly hasHeaders: boolean },
): string {
  const items = itemsOf(objects).map((item) => withoutManagedFields(item));
  const shown = isList(objects) ? listOf(items) : items[0];
  switch (format.kind) {
    case "json":
      return `${indentJson(goJson(shown))}\n`;
    case "yaml":
      return printYaml(shown);
    case "name":
      return items.map((item) => `${resourceName(item)}\n`).join("");
    case "jsonpath":
      return format.path.print(shown);
    case "custom-columns": {
      const rows = items.map((item) => format.columns.map(({ path }) => valuesText(path.find(item).flat())));
      return printCells(hasHeaders ? [format.columns.map(({ header }) => header), ...rows] : rows);
    }
    default:
      return format satisfies never;
  }
}

function valuesText(values: readonly unknown[]): string {
  return values.length === 0 ? "<none>" : values.map((value) => goValue(value)).join(",");
}

// kubectl prints lists of one kind as lists of any kind.
function listOf(items: readonly ReadonlyObject[]): object {
  return { apiVersion: "v1", items, kind: "List", metadata: { resourceVersion: "" } };
}

function withoutManagedFields<T extends ReadonlyObject>(object: T): T {
  if (object.metadata === undefined) return object;
  const { managedFields: _, ...others } = object.metadata;
  return { ...object, metadata: others };
}

function resourceName({ apiVersion, kind, metadata }: ReadonlyObject): string {
  const [group = "", version] = apiVersion.split("/");
  const resource = version === undefined ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return `${resource}/${metadata?.name ?? ""}`;
}
