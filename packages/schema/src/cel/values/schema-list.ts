import { type JSONValue, printServerJson, serverInteger } from "@kubescaffold/k8s";

import type { JsonSchema } from "../../model/json-schema.ts";
import { elementsOf, LIST_TYPE } from "./cel-list.ts";
import { CelDuration, CelTimestamp } from "./cel-time.ts";
import type { CelType } from "./cel-type.ts";
import { CelError, CelList, CelUint, type CelValue, LONGEST_LIST, tooLong } from "./cel-value.ts";
import { equalAs, noSuchOverload } from "./equality.ts";
import { toPlainValue } from "./plain-value.ts";
import { escapePropertyName } from "./property-names.ts";
import { SchemaMap } from "./schema-map.ts";
import { UnknownValue } from "./unknown-value.ts";

interface SchemaListOptions {
  readonly items: JsonSchema;
  /** The schema of the list: a set or a map by its `x-kubernetes-list-type`, or neither. */
  readonly schema: JsonSchema;
  readonly valueOf: (json: JSONValue | undefined, schema: JsonSchema) => CelValue;
}

/** An element as it was given, or as another expression made it. */
type Element = { readonly json: JSONValue } | { readonly made: CelValue };

/**
 * A list by its schema: a set is equal to another in any order and `+` unites them; a map is one by its keys, and `+` overwrites.
 */
export class SchemaList extends CelList {
  readonly type: CelType = LIST_TYPE;
  readonly length: number;
  readonly #json: readonly JSONValue[];
  readonly #made: readonly Element[] | undefined;
  readonly #options: SchemaListOptions;

  constructor(json: readonly JSONValue[], options: SchemaListOptions, elements?: readonly Element[]) {
    super();
    this.length = elements?.length ?? json.length;
    this.#json = json;
    this.#made = elements;
    this.#options = options;
  }

  at(index: number): CelValue {
    if (index < 0 || index >= this.length) return new CelError(`index out of bounds: ${String(index)}`);
    const element = this.#made?.[index];
    if (element !== undefined) return this.#valueOf(element);
    return this.#options.valueOf(this.#json[index], this.#options.items);
  }

  // A list that is read and not changed has no elements of its own, so that reading it again takes no time.
  get #elements(): readonly Element[] {
    return this.#made ?? this.#json.map((json) => ({ json }));
  }

  override size(): bigint {
    return BigInt(this.length);
  }

  contains(value: CelValue): boolean | CelError {
    let problem: CelError | undefined;
    for (const element of elementsOf(this)) {
      const isEqual = equalAs(element, value);
      if (isEqual === true) return true;
      if (isEqual instanceof CelError) problem ??= isEqual;
    }
    return problem ?? false;
  }

  equals(other: CelValue): boolean | CelError {
    if (!(other instanceof CelList)) return noSuchOverload();
    if (other.length !== this.length) return false;
    switch (this.#options.schema["x-kubernetes-list-type"]) {
      case "set":
        return this.#equalsAsSet(other);
      case "map":
        return this.#equalsAsMap(other);
      default:
        return this.#equalsInOrder(other);
    }
  }

  #equalsInOrder(other: CelList): boolean | CelError {
    for (let index = 0; index < this.length; index++) {
      const isEqual = equalAs(this.at(index), other.at(index));
      if (isEqual !== true) return isEqual;
    }
    return true;
  }

  #equalsAsSet(other: CelList): boolean {
    const mine = new Set(elementsOf(this).map((element) => identityOf(element)));
    return elementsOf(other).every((element) => mine.has(identityOf(element)));
  }

  #equalsAsMap(other: CelList): boolean | CelError {
    const mine = new Map(elementsOf(this).map((element) => [this.#keyOf(element), element]));
    for (const element of elementsOf(other)) {
      const match = mine.get(this.#keyOf(element));
      if (match === undefined) return false;
      const isEqual = equalAs(match, element);
      if (isEqual !== true) return isEqual;
    }
    return true;
  }

  concat(other: CelList): CelValue {
    if (this.length + other.length > LONGEST_LIST) return tooLong();
    const added = elementsOf(other).map((made) => this.#adopt(made));
    switch (this.#options.schema["x-kubernetes-list-type"]) {
      case "set":
        return this.#with(this.#mergedBy((element) => identityOf(element), added, "keep"));
      case "map":
        return this.#with(this.#mergedBy((element) => this.#keyOf(element), added, "overwrite"));
      default:
        return this.#with([...this.#elements, ...added]);
    }
  }

  // What another list holds is read by this list's schema from now on; what has no form in JSON is lost.
  #adopt(made: CelValue): Element {
    const { type } = this.#options.items;
    if (typeof made === "bigint") return type === "number" ? { json: Number(made) } : { made };
    if (made === null || (typeof made !== "object" && typeof made !== "bigint")) return { json: made };
    if (made instanceof SchemaMap || made instanceof UnknownValue) return { json: made.json };
    if (made instanceof SchemaList) return { json: made.#elements.map((element) => jsonOf(element)) };
    return {
      made: new CelError(type === "string" ? `invalid data, expected string, got ${goTypeOf(made)}` : notA(type)),
    };
  }

  #with(elements: readonly Element[]): SchemaList {
    return new SchemaList([], this.#options, elements);
  }

  #mergedBy(
    keyOf: (element: CelValue) => unknown,
    added: readonly Element[],
    onClash: "keep" | "overwrite",
  ): readonly Element[] {
    const merged = [...this.#elements];
    const positions = new Map(elementsOf(this).map((element, index) => [keyOf(element), index]));
    for (const element of added) {
      const key = keyOf(this.#valueOf(element));
      const position = positions.get(key);
      if (position !== undefined) {
        if (onClash === "overwrite") merged[position] = element;
        continue;
      }
      // New elements of a map are appended even where two of them share their keys.
      if (onClash === "keep") positions.set(key, merged.length);
      merged.push(element);
    }
    return merged;
  }

  #valueOf(element: Element): CelValue {
    return "made" in element ? element.made : this.#options.valueOf(element.json, this.#options.items);
  }

  #keyOf(element: CelValue): string {
    const keys = this.#options.schema["x-kubernetes-list-map-keys"] ?? [];
    return printServerJson(
      keys.map((key) => {
        // A key whose name has to be escaped is found under that name, which is to say nowhere: upstream does the same.
        const name = escapePropertyName(key) ?? key;
        return element instanceof SchemaMap ? (element.json[name] ?? null) : null;
      }),
    );
  }

  override plain(): CelValue {
    return toPlainValue(this.#elements.map((element) => jsonOf(element)));
  }
}

function notA(type = ""): string {
  const article = type === "array" ? "an array" : "a map";
  return `invalid data, expected ${article} for the provided schema with type=${type}`;
}

function goTypeOf(value: CelValue): string {
  if (value instanceof CelTimestamp) return "time.Time";
  return value instanceof CelDuration ? "time.Duration" : "[]uint8";
}

function jsonOf(element: Element): JSONValue {
  if ("json" in element) return element.json;
  const { made } = element;
  if (made instanceof SchemaMap) return made.json;
  if (made instanceof UnknownValue) return made.json;
  // An integer beyond 2^53 is a bigint, which the type of JSON values does not name.
  if (typeof made === "bigint") return serverInteger(made) as number;
  return typeof made === "string" || typeof made === "number" || typeof made === "boolean" ? made : null;
}

// What makes two scalars the same to Go: their types and values.
function identityOf(value: CelValue): string {
  return value instanceof CelUint ? `uint ${String(value.value)}` : `${typeof value} ${String(value)}`;
}
