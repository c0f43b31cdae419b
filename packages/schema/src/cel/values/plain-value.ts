import type { JSONValue } from "@kubescaffold/k8s";

import { CelArray } from "./cel-list.ts";
import { CelDictionary } from "./cel-map.ts";
import type { CelValue } from "./cel-value.ts";

/** A list that is no part of the expression, with the JSON that it was made of. */
export class PlainList extends CelArray {
  readonly json: readonly JSONValue[];

  constructor(json: readonly JSONValue[]) {
    super(json.map((element) => toPlainValue(element)));
    this.json = json;
  }
}

/** An object that is no part of the expression, with the JSON that it was made of. */
export class PlainMap extends CelDictionary {
  readonly json: { readonly [key: string]: JSONValue };

  constructor(json: { readonly [key: string]: JSONValue }) {
    super(Object.entries(json).map(([key, value]) => [key, toPlainValue(value)]));
    this.json = json;
  }
}

/** Turns JSON into values without any schema: integers are ints, objects are maps. */
export function toPlainValue(json: JSONValue | undefined): CelValue {
  if (json === null || json === undefined) return null;
  if (typeof json === "number") return Number.isInteger(json) ? BigInt(json) : json;
  // This includes the bigint of an integer beyond 2^53.
  if (typeof json !== "object") return json;
  return isList(json) ? new PlainList(json) : new PlainMap(json);
}

function isList(json: object): json is readonly JSONValue[] {
  return Array.isArray(json);
}
