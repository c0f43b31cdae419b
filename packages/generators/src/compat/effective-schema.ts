import { deepEqual, itemsOf, type JsonSchema, type ValidationRule } from "@kubescaffold/schema";

/** What a schema asks of a value, with what its allOf adds taken in. */
export interface EffectiveSchema {
  readonly own: JsonSchema;
  /** Every branch that holds: the schema itself and all that are in allOf, at any depth. */
  readonly branches: readonly JsonSchema[];
  readonly patterns: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
  readonly rules: readonly ValidationRule[];
  /** The values that all enums allow; undefined without an enum. */
  readonly allowed: readonly unknown[] | undefined;
}

/** Reads what a schema asks for. */
export function effectiveSchema(own: JsonSchema): EffectiveSchema {
  const branches = withBranches(own);
  const enums = branches.map((each) => each.enum).filter((each) => each !== undefined && each.length > 0);
  const [first, ...others] = enums;
  return {
    own,
    branches,
    patterns: new Set(branches.flatMap(({ pattern }) => (pattern === undefined || pattern === "" ? [] : [pattern]))),
    required: new Set(branches.flatMap((each) => each.required ?? [])),
    rules: branches.flatMap((each) => each["x-kubernetes-validations"] ?? []),
    allowed: first?.filter((value) => others.every((each) => each?.some((other) => deepEqual(other, value)))),
  };
}

/** Returns the schemas of a member in all branches as one. */
export function memberSchema({ own, branches }: EffectiveSchema, name: string): JsonSchema | undefined {
  const member = own.properties?.[name];
  return member === undefined
    ? undefined
    : joined(
        member,
        branches.slice(1).map((each) => each.properties?.[name]),
      );
}

/** Returns the schemas of the items in all branches as one. */
export function itemSchema({ own, branches }: EffectiveSchema): JsonSchema | undefined {
  const items = itemsOf(own);
  return items === undefined
    ? undefined
    : joined(
        items,
        branches.slice(1).map((each) => itemsOf(each)),
      );
}

/** Returns the strictest of the numbers that branches state. */
export function strictest(
  { branches }: EffectiveSchema,
  key: "maximum" | "minimum" | "maxLength" | "minLength" | "maxItems" | "minItems" | "maxProperties" | "minProperties",
): number | undefined {
  const stated = branches.map((each) => each[key]).filter((value) => value !== undefined);
  if (stated.length === 0) return undefined;
  return key.startsWith("max") ? Math.min(...stated) : Math.max(...stated);
}

function withBranches(schema: JsonSchema): readonly JsonSchema[] {
  return [schema, ...(schema.allOf ?? []).flatMap((each) => withBranches(each))];
}

function joined(schema: JsonSchema, others: readonly (JsonSchema | undefined)[]): JsonSchema {
  const further = others.filter((each) => each !== undefined);
  return further.length === 0 ? schema : { ...schema, allOf: [...(schema.allOf ?? []), ...further] };
}
