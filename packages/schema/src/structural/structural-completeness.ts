import { type FieldError, requiredField } from "@kubescaffold/k8s";

import { childPath, keyPath } from "../field-path.ts";
import { itemsOf, propertyOf, type JsonSchema } from "../json-schema.ts";

/** Checks that all that combinations talk about is specified outside of them too. */
export function checkCompleteness(schema: JsonSchema, path: string): readonly FieldError[] {
  return checkCombinations(schema, { structure: schema, structurePath: path, path });
}

interface Counterpart {
  /** The schema outside of combinations that stands for the same value. */
  readonly structure: JsonSchema;
  readonly structurePath: string;
  readonly path: string;
}

function checkCombinations(schema: JsonSchema, counterpart: Counterpart): readonly FieldError[] {
  const { path } = counterpart;
  const named = (key: "allOf" | "anyOf" | "oneOf"): readonly FieldError[] =>
    (schema[key] ?? []).flatMap((branch, index) =>
      checkBranch(branch, { ...counterpart, path: keyPath(childPath(path, key), index) }),
    );
  return [
    ...(schema.not === undefined ? [] : checkBranch(schema.not, { ...counterpart, path: childPath(path, "not") })),
    ...named("allOf"),
    ...named("anyOf"),
    ...named("oneOf"),
  ];
}

function checkBranch(schema: JsonSchema, counterpart: Counterpart): readonly FieldError[] {
  const { structure, structurePath, path } = counterpart;
  const items = itemsOf(schema);
  return [
    ...checkCombinations(schema, counterpart),
    ...(items === undefined
      ? []
      : checkPart(items, itemsOf(structure), {
          structurePath: childPath(structurePath, "items"),
          path: childPath(path, "items"),
        })),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
      checkPart(property, propertyOf(structure, name), {
        structurePath: keyPath(childPath(structurePath, "properties"), name),
        path: keyPath(childPath(path, "properties"), name),
      }),
    ),
  ];
}

function checkPart(
  schema: JsonSchema,
  structure: JsonSchema | undefined,
  { structurePath, path }: Omit<Counterpart, "structure">,
): readonly FieldError[] {
  return structure === undefined
    ? [requiredField(structurePath, `because it is defined in ${path}`)]
    : checkBranch(schema, { structure, structurePath, path });
}
