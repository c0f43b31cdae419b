import { additionalSchemaOf, itemsOf, type JsonSchema, propertyOf } from "../../model/json-schema.ts";
import { unescapePropertyName } from "../values/property-names.ts";
import { withResourceFields } from "../values/resource-fields.ts";
import type { RuleScope } from "./rule-scope.ts";

/** An unbounded field, and the keyword that bounds it. */
export interface UnboundedField {
  /** The path from the root of the object: `spec.items[].name`, `{}` for the values of a map. */
  readonly path: string;
  /** The keyword of the schema that would bound it. */
  readonly keyword: "maxItems" | "maxProperties" | "maxLength";
}

/**
 * Returns the fields without bounds that make a rule expensive: the lists and maps around it, which repeat it, then those that it
 * reads itself.
 */
export function unboundedFields(scope: RuleScope, read: readonly (readonly string[])[]): readonly UnboundedField[] {
  const names = scope.trail.map((_, index) =>
    scope.trail
      .slice(0, index + 1)
      .map(({ name }) => name)
      .join(""),
  );
  const around = scope.trail.slice(0, -1).flatMap(({ schema }, index) => unbounded(schema, names[index] ?? ""));
  const here = names.at(-1) ?? "";
  const isRoot = scope.trail.length === 1;
  const found = [
    ...around,
    ...read
      .toSorted((left, right) => left.length - right.length)
      .flatMap((steps) =>
        alongPath(isRoot ? withResourceFields(scope.schema, scope.boundsNames) : scope.schema, here, steps),
      ),
  ];
  return found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
}

function alongPath(schema: JsonSchema, name: string, steps: readonly string[]): readonly UnboundedField[] {
  const [step, ...rest] = steps;
  if (step === undefined) {
    return unbounded(schema, name);
  }
  const next = stepInto(schema, step);
  return next === undefined ? [] : alongPath(next.schema, `${name}${next.name}`, rest);
}

function stepInto(schema: JsonSchema, step: string): { schema: JsonSchema; name: string } | undefined {
  if (step === "@items" || step === "@values") {
    const items = itemsOf(schema);
    const found = items ?? additionalSchemaOf(schema);
    return found === undefined ? undefined : { schema: found, name: items === undefined ? "{}" : "[]" };
  }
  const name = unescapePropertyName(step);
  const property = name === undefined ? undefined : propertyOf(schema, name);
  return property === undefined ? undefined : { schema: property, name: `.${name ?? ""}` };
}

const BOUNDED_FORMATS: ReadonlySet<string> = new Set(["duration", "date", "date-time"]);

function unbounded(schema: JsonSchema, name: string): readonly UnboundedField[] {
  const keyword = missingBound(schema);
  return keyword === undefined ? [] : [{ path: name.replace(/^\./, ""), keyword }];
}

function missingBound(schema: JsonSchema): UnboundedField["keyword"] | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return schema.maxLength === undefined ? "maxLength" : undefined;
  }
  switch (schema.type) {
    case "array":
      return schema.maxItems === undefined ? "maxItems" : undefined;
    case "object":
      return additionalSchemaOf(schema) !== undefined && schema.maxProperties === undefined
        ? "maxProperties"
        : undefined;
    case "string":
      return schema.maxLength === undefined &&
        (schema.enum ?? []).length === 0 &&
        !BOUNDED_FORMATS.has(schema.format ?? "")
        ? "maxLength"
        : undefined;
    default:
      return undefined;
  }
}
