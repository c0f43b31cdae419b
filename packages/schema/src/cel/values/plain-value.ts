import type { JSONValue } from "@kubescaffold/k8s";

import { CelArray } from "./cel-list.ts";
import { CelDictionary } from "./cel-map.ts";
import type { CelValue } from "./cel-value.ts";

/** Turns JSON into values without any schema: integers are ints, objects are maps. */
export function toPlainValue(json: JSONValue | undefined): CelValue {
  if (json === null || json === undefined) return null;
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  // This includes the bigint of an integer beyond 2^53.
  if (typeof json !== "object") return json;
  if (isList(json)) return new CelArray(json.map((element) => toPlainValue(element)));
  return new CelDictionary(Object.entries(json).map(([key, value]) => [key, toPlainValue(value)]));
}

function isList(json: object): json is readonly JSONValue[] {
  return Array.isArray(json);
}
