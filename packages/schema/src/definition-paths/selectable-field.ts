/** Says how many selectable fields a version may have. */
export const MOST_SELECTABLE_FIELDS = 8;

/** Is what the search for a selectable field looks at in a schema. */
export interface FieldSchema<Schema> {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** Says where the path of a selectable field leads, or why a server cannot follow it. */
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

/** Says whether a path leads into the metadata, where no field is selectable by a definition. */
export function isMetadataPath(path: string): boolean {
  return /^\.metadata(?:\.|$)/u.test(path);
}

/** Says whether fields of a type are selectable. */
export function isSelectableType(type: string | undefined): boolean {
  return type === "string" || type === "boolean" || type === "integer";
}
