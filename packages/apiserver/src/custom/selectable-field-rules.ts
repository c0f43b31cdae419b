import { type FieldError, invalidField as invalid, requiredField as required } from "@kubescaffold/k8s";
import type { JsonSchema } from "@kubescaffold/schema";

const MOST_FIELDS = 8;
const TYPES = new Set(["string", "boolean", "integer"]);

/** Returns what is wrong with the selectable fields of a version; fields that were more than the limit before may stay so. */
export function selectableFieldErrors(
  fields: readonly { readonly jsonPath: string }[],
  { schema, path, isUnchanged }: { readonly schema: JsonSchema; readonly path: string; readonly isUnchanged: boolean },
): readonly FieldError[] {
  const known = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index): readonly FieldError[] => {
    const at = `${path}[${index}].jsonPath`;
    if ((jsonPath ?? "") === "") {
      return [required(at)];
    }
    const found = schemaAt(schema, jsonPath);
    if (found.kind === "problem") {
      return [invalid(at, jsonPath, `is an invalid path: ${found.reason}`)];
    }
    const isRepeated = known.has(jsonPath);
    known.add(jsonPath);
    return [
      ...(/^\.metadata(?:\.|$)/.test(jsonPath) ? [invalid(at, jsonPath, "must not point to fields in metadata")] : []),
      ...(TYPES.has(String(found.schema.type)) ? [] : [invalid(at, jsonPath, WRONG_TYPE)]),
      ...(isRepeated ? [{ type: "FieldValueDuplicate" as const, field: at, badValue: jsonPath, detail: "" }] : []),
    ];
  });
  return known.size > MOST_FIELDS && !isUnchanged ? [...errors, tooMany(path, known.size)] : errors;
}

const WRONG_TYPE =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";

type Found =
  | { readonly kind: "schema"; readonly schema: JsonSchema }
  | { readonly kind: "problem"; readonly reason: string };

function schemaAt(root: JsonSchema, path: string): Found {
  const tokens = path.split(/(?=[.[\]])|(?<=[.[\]])/);
  let schema = root;
  for (let at = 0; at < tokens.length; at += 2) {
    const [sign, name] = [tokens[at], tokens[at + 1]];
    if (sign === "[") {
      return { kind: "problem", reason: "array notation is not allowed" };
    }
    if (sign !== ".") {
      return { kind: "problem", reason: `expected [ or . but got: ${sign ?? ""}` };
    }
    if (name === undefined) {
      return { kind: "problem", reason: "unexpected end of JSON path" };
    }
    const next = schema.properties === undefined ? schema.additionalProperties : schema.properties[name];
    if (typeof next !== "object") {
      return { kind: "problem", reason: "does not refer to a valid field" };
    }
    schema = next;
  }
  return { kind: "schema", schema };
}

function tooMany(field: string, count: number): FieldError {
  return { type: "FieldValueTooMany", field, badValue: count, detail: `must have at most ${MOST_FIELDS} items` };
}
