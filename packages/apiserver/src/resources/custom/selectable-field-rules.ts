import { type FieldError, invalidField as invalid, requiredField as required } from "@kubescaffold/k8s";
import {
  followSelectablePath,
  isMetadataPath,
  isSelectableType,
  MOST_SELECTABLE_FIELDS,
  type SelectableTarget,
} from "@kubescaffold/schema";
import { type JsonSchema } from "@kubescaffold/schema/values";

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
    const found = followSelectablePath(schema, jsonPath);
    if (found.kind !== "field") {
      return [invalid(at, jsonPath, `is an invalid path: ${reasonOf(found)}`)];
    }
    const isRepeated = known.has(jsonPath);
    known.add(jsonPath);
    return [
      ...(isMetadataPath(jsonPath) ? [invalid(at, jsonPath, "must not point to fields in metadata")] : []),
      ...(isSelectableType(found.schema.type) ? [] : [invalid(at, jsonPath, WRONG_TYPE)]),
      ...(isRepeated ? [{ type: "FieldValueDuplicate" as const, field: at, badValue: jsonPath, detail: "" }] : []),
    ];
  });
  return known.size > MOST_SELECTABLE_FIELDS && !isUnchanged ? [...errors, tooMany(path, known.size)] : errors;
}

const WRONG_TYPE =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";

function reasonOf(target: Exclude<SelectableTarget<JsonSchema>, { readonly kind: "field" }>): string {
  switch (target.kind) {
    case "noDot":
      return target.found === "[" ? "array notation is not allowed" : `expected [ or . but got: ${target.found}`;
    case "unfinished":
      return "unexpected end of JSON path";
    case "unknown":
      return "does not refer to a valid field";
  }
}

function tooMany(field: string, count: number): FieldError {
  return {
    type: "FieldValueTooMany",
    field,
    badValue: count,
    detail: `must have at most ${MOST_SELECTABLE_FIELDS} items`,
  };
}
