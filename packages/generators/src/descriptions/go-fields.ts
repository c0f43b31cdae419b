import { addToList } from "@kubescaffold/platform";
/** A field in a line of a Go struct. */
export interface GoField {
  /** The name in JSON; undefined for an embedded type whose tag has no name. */
  readonly name: string | undefined;
  /** Whether the tag has the name. */
  readonly isTagged: boolean;
  /** The type as it is written, such as `[]metav1.Condition`. */
  readonly type: string;
}

/**
 * Reads the fields that encoding/json knows in a line of a Go struct. A named field whose tag has no name has its Go name, and an embedded type
 * none; options of the tag, such as `inline`, do not change this.
 */
export function fieldsIn(line: string): readonly GoField[] {
  const [, declared = "", tags = ""] = LINE.exec(line) ?? [];
  const [tagged = "", ...options] = (TAG.exec(tags)?.[1] ?? "").split(",");
  if (tagged === "-" && options.length === 0) return [];
  const isTagged = tagged !== "";
  const declaration = declared.replace(/\/\/.*/u, "").trim();
  if (EMBEDDED.test(declaration)) return [{ name: isTagged ? tagged : undefined, isTagged, type: declaration }];
  const [, names = "", type = ""] = NAMED.exec(declaration) ?? [];
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => /^\p{Lu}/u.test(name))
    .map((name) => ({ name: isTagged ? tagged : name, isTagged, type }));
}

// Fields of a struct are after one tab; those of a struct that is the type of a field are after more, and are not read.
const LINE = /^\t(?=[\w*])([^`]*)(?:`([^`]*)`)?/u;
const TAG = /(?:^|\s)json:"([^"]*)"/u;
const EMBEDDED = /^\*?[\w.]+$/u;
const NAMED = /^(\w+(?:,[ \t]*\w+)*)[ \t]+(\S.*)(?<!\{)$/u;

/** An embedded type: the fields of a struct, the name of another type, or undefined if the type is unknown. */
export type EmbeddedType<F> = { readonly fields: readonly F[] } | { readonly name: string } | undefined;

/**
 * Lists the fields of a struct in JSON with their names, in the order of the sources; those of embedded structs are fields of the struct itself. Of
 * several fields with a name, the least nested one counts, and of these the one whose tag has the name; if several are left, none does.
 */
export function jsonFields<F extends GoField>(
  fields: readonly F[],
  embeddedType: (field: F) => EmbeddedType<F>,
): readonly NamedField<F>[] {
  const byName = new Map<string, NestedField<F>[]>();
  const nested = nestedFields({ fields, around: [] }, embeddedType);
  for (const each of nested) addToList(byName, each.name, each);
  return nested.filter((each) => dominantOf(byName.get(each.name) ?? []) === each);
}

interface NamedField<F> {
  readonly name: string;
  readonly field: F;
}

interface NestedField<F> extends NamedField<F> {
  readonly depth: number;
}

// A struct can embed a pointer to itself, whose fields are those of the struct around it.
function nestedFields<F extends GoField>(
  { fields, around }: { readonly fields: readonly F[]; readonly around: readonly (readonly F[])[] },
  embeddedType: (field: F) => EmbeddedType<F>,
): readonly NestedField<F>[] {
  if (around.includes(fields)) return [];
  const depth = around.length;
  return fields.flatMap((field) => {
    if (field.name !== undefined) return [{ name: field.name, field, depth }];
    const type = embeddedType(field);
    if (type === undefined) return [];
    if ("name" in type) return [{ name: type.name, field, depth }];
    return nestedFields({ fields: type.fields, around: [...around, fields] }, embeddedType);
  });
}

function dominantOf<F extends GoField>(candidates: readonly NestedField<F>[]): NestedField<F> | undefined {
  const depth = Math.min(...candidates.map((each) => each.depth));
  const outer = candidates.filter((each) => each.depth === depth);
  const tagged = outer.filter(({ field }) => field.isTagged);
  const [dominant, ...others] = tagged.length > 0 ? tagged : outer;
  return others.length === 0 ? dominant : undefined;
}
