import type { JsonSchema } from "@kubescaffold/schema";

import type { ComparedNode } from "./compare-bounds.ts";
import type { SchemaDifference } from "./difference.ts";

/** Finds a type that not all former values have. */
export function compareType({ former, current, path, name }: ComparedNode): readonly SchemaDifference[] {
  const before = typeOf(former.own);
  const now = typeOf(current.own);
  if (before === now || now === ANYTHING || (WIDER.get(before) ?? []).includes(now)) return [];
  return [
    {
      code: "COMPAT_TYPE_CHANGED",
      message: `${name} is ${now} now, and was ${before}`,
      hint: "keep the type and add a new field beside it, or serve a new version with a conversion",
      path,
      markers: ["Type", "XIntOrString"],
    },
  ];
}

const ANYTHING = "any value";
const INT_OR_STRING = "a whole number or a string";

const WIDER: ReadonlyMap<string, readonly string[]> = new Map([
  ["integer", ["number", INT_OR_STRING]],
  ["string", [INT_OR_STRING]],
]);

function typeOf(schema: JsonSchema): string {
  if (schema["x-kubernetes-int-or-string"] === true) return INT_OR_STRING;
  return schema.type === undefined || schema.type === "" ? ANYTHING : schema.type;
}
