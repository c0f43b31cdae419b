import { goValue, printServerJson } from "@kubescaffold/k8s";
import type { ListOf, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { isRecord } from "@kubescaffold/platform";

import type { OutputFormat } from "./output-format.ts";
import { namespaceColumn, printCells, printTable, type TableColumn } from "./table.ts";

/** Prints objects in the format of `--output`. */
export interface ObjectPrinter {
  /**
   * Prints an object or a list: as a table of the columns, or in the format of `--output`. With `--all-namespaces`, a table starts with the namespaces.
   * For a table of an empty list, standard error gets `No resources found`.
   */
  readonly objects: <T extends ReadonlyObject>(
    objects: T | Pick<ListOf<T>, "items" | "metadata">,
    columns: readonly TableColumn<T>[],
  ) => void;
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
  const options = { isWide: format.kind === "wide", hasHeaders };
  return {
    isForPrograms: format.kind !== "table" && format.kind !== "wide",
    table: (rows, columns) => write(printTable(rows, columns, options)),
    objects: (objects, columns) => {
      const items = itemsOf(objects);
      if (format.kind !== "table" && format.kind !== "wide") {
        write(printObjects(objects, items, { format, hasHeaders }));
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

function itemsOf<T extends ReadonlyObject>(objects: T | Pick<ListOf<T>, "items" | "metadata">): readonly T[] {
  return isList(objects) ? objects.items : [objects];
}

function isList<T extends ReadonlyObject>(
  objects: T | Pick<ListOf<T>, "items" | "metadata">,
): objects is Pick<ListOf<T>, "items" | "metadata"> {
  return "items" in objects && Array.isArray(objects.items);
}

type ObjectFormat = Exclude<OutputFormat, { readonly kind: "table" | "wide" }>;

function printObjects(
  objects: object,
  items: readonly ReadonlyObject[],
  { format, hasHeaders }: { readonly format: OutputFormat; readonly hasHeaders: boolean },
): string {
  const shown = "items" in objects ? listOf(items) : withoutManagedFields(objects);
  switch ((format as ObjectFormat).kind) {
    case "json":
      return `${goEscaped(printServerJson(sorted(shown), JSON_INDENT))}\n`;
    case "yaml":
      return printYaml(shown);
    case "name":
      return items.map((item) => `${resourceName(item)}\n`).join("");
    default:
      break;
  }
  if (format.kind === "jsonpath") return format.path.print(shown);
  if (format.kind !== "custom-columns") return "";
  const rows = items.map((item) =>
    format.columns.map(({ path }) => valuesText(path.find(withoutManagedFields(item)).flat())),
  );
  return printCells(hasHeaders ? [format.columns.map(({ header }) => header), ...rows] : rows);
}

function valuesText(values: readonly unknown[]): string {
  return values.length === 0 ? "<none>" : values.map((value) => goValue(value)).join(",");
}

const JSON_INDENT = 4;

// kubectl prints lists of one kind as lists of any kind.
function listOf(items: readonly ReadonlyObject[]): object {
  return {
    apiVersion: "v1",
    items: items.map((item) => withoutManagedFields(item)),
    kind: "List",
    metadata: { resourceVersion: "" },
  };
}

function withoutManagedFields(object: object): object {
  const { metadata } = object as { readonly metadata?: unknown };
  if (!isRecord(metadata)) return object;
  const { managedFields: _, ...others } = metadata;
  return { ...object, metadata: others };
}

function resourceName({ apiVersion, kind, metadata }: ReadonlyObject): string {
  const [group = "", version] = apiVersion.split("/");
  const resource = version === undefined ? kind.toLowerCase() : `${kind.toLowerCase()}.${group}`;
  return `${resource}/${metadata?.name ?? ""}`;
}

// Go escapes these in the texts of JSON, and nothing else in JSON has them.
function goEscaped(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
  });
}

// Go prints the keys of maps in their order by bytes.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => sorted(each));
  if (!isRecord(value)) return value;
  const keys = Object.keys(value).toSorted((left, right) => (left < right ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}
