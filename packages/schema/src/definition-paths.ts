/** The largest number of selectable fields of a version. */
export const MOST_SELECTABLE_FIELDS = 8;

/** The part of a schema that determines selectable fields. */
export interface FieldSchema<Schema> {
  /** The type of the value. */
  readonly type?: string;
  /** The schemas of the properties. */
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The schema of other properties, or whether there may be any. */
  readonly additionalProperties?: Schema | boolean;
}

/** Reports where the path of a selectable field leads, or why a server cannot follow it. */
export type SelectableTarget<Schema> =
  | { readonly kind: "field"; readonly schema: Schema }
  | { readonly kind: "unknown"; readonly name: string }
  /** Something else than a dot stands where one belongs: a bracket, or at the start any text. */
  | { readonly kind: "noDot"; readonly found: string }
  | { readonly kind: "unfinished" };

/** Follows the path of a selectable field, such as `.spec.color`, through a schema. */
export function followSelectablePath<Schema extends FieldSchema<Schema>>(
  root: Schema,
  path: string,
): SelectableTarget<Schema> {
  const tokens = path.split(/(?=[.[\]])|(?<=[.[\]])/u);
  let schema = root;
  for (let at = 0; at < tokens.length; at += 2) {
    const [sign = "", name] = [tokens[at], tokens[at + 1]];
    if (sign !== ".") return { kind: "noDot", found: sign };
    if (name === undefined) return { kind: "unfinished" };
    const next = schema.properties === undefined ? schema.additionalProperties : schema.properties[name];
    if (next === undefined || typeof next === "boolean") return { kind: "unknown", name };
    schema = next;
  }
  return { kind: "field", schema };
}

/** Reports whether a path leads into the metadata, where no field is selectable by a definition. */
export function isMetadataPath(path: string): boolean {
  return /^\.metadata(?:\.|$)/u.test(path);
}

/** Reports whether fields of a type are selectable. */
export function isSelectableType(type: string | undefined): boolean {
  return type === "string" || type === "boolean" || type === "integer";
}

/** One step of a JSONPath into an object. */
export type JsonPathStep =
  | { readonly kind: "member"; readonly name: string }
  /** What stands in brackets and is no name: an index, a slice, a wildcard or a filter. */
  | { readonly kind: "selection"; readonly text: string };

/** Splits a JSONPath of a column, such as `.spec.list[0]['a.b']`, into its steps; returns undefined for one that is empty or not that simple. */
export function parseJsonPath(path: string): readonly JsonPathStep[] | undefined {
  const steps: JsonPathStep[] = [];
  let end = 0;
  for (const match of path.matchAll(STEP)) {
    end = match.index + match[0].length;
    steps.push(stepOf(match.groups ?? {}));
  }
  return end === path.length && steps.length > 0 ? steps : undefined;
}

const STEP = /\.(?<plain>(?:[^.[\]\\]|\\.)+)|\[['"](?<quoted>(?:[^'"\\]|\\.)*)['"]\]|\[(?<inner>\?\(.*?\)|[^\]]*)\]/gy;

function stepOf({ plain, quoted, inner = "*" }: Readonly<Record<string, string | undefined>>): JsonPathStep {
  const name = plain === "*" ? undefined : (plain ?? quoted);
  return name === undefined
    ? { kind: "selection", text: inner }
    : { kind: "member", name: name.replaceAll(/\\(.)/gu, "$1") };
}

/** Lists the types that a server takes for a printer column. */
export const PRINTER_COLUMN_TYPES: readonly string[] = ["boolean", "date", "integer", "number", "string"];

/** Lists the formats that a server takes for a printer column. */
export const PRINTER_COLUMN_FORMATS: readonly string[] = [
  "byte",
  "date",
  "date-time",
  "double",
  "float",
  "int32",
  "int64",
  "password",
];

/** Names a path of the scale subresource. */
export type ScalePathName = "specReplicasPath" | "statusReplicasPath" | "labelSelectorPath";

/** Says of each path of the scale subresource below what it must lead. */
export const SCALE_PATH_ROOTS: Readonly<Record<ScalePathName, readonly string[]>> = {
  specReplicasPath: [".spec"],
  statusReplicasPath: [".status"],
  labelSelectorPath: [".spec", ".status"],
};

/** Reports whether a path of the scale subresource leads to where it must, without brackets. */
export function isScalePath(name: ScalePathName, path: string): boolean {
  return SCALE_PATH_ROOTS[name].some((root) => path.startsWith(`${root}.`)) && !/[[\]]/u.test(path);
}
