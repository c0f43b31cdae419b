import { goValue, type JSONValue } from "@kubescaffold/k8s";

import type { JsonObject } from "../../json/json-value.ts";
import { PatchTypeError } from "../../model/errors.ts";

/** Creates the error for a `$patch` directive of another name or type. */
export function unknownPatchType(directive: JSONValue, patch: JsonObject): PatchTypeError {
  const text = typeof directive === "string" ? directive : misprinted(directive);
  return new PatchTypeError(`unknown patch type: ${text} in map: ${goValue(patch)}`);
}

// Go prints a value in place of a text with its type.
function misprinted(value: JSONValue): string {
  if (typeof value === "boolean") return `%!s(bool=${String(value)})`;
  if (typeof value === "number") return `%!s(${Number.isInteger(value) ? "int64" : "float64"}=${goValue(value)})`;
  return goValue(value);
}
