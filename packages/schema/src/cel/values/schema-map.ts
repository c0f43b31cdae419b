import type { JSONValue } from "@kubescaffold/k8s";

import { deepEqual } from "../../json/deep-equal.ts";
import type { JsonObject } from "../../json/json-value.ts";
import type { JsonSchema } from "../../model/json-schema.ts";
import { MAP_TYPE } from "./cel-map.ts";
import type { CelType } from "./cel-type.ts";
import { type CelError, CelMap, type CelValue } from "./cel-value.ts";
import { equalAs, noSuchOverload } from "./equality.ts";
import { toPlainValue } from "./plain-value.ts";
import { escapePropertyName, unescapePropertyName } from "./property-names.ts";

type ValueOf = (json: JSONValue | undefined, schema: JsonSchema) => CelValue;

/** An object with properties or a map, by its schema; names of properties are escaped, those of maps are not. */
export class SchemaMap extends CelMap {
  readonly type: CelType = MAP_TYPE;
  readonly json: JsonObject;
  readonly #schema: JsonSchema;
  readonly #valueOf: ValueOf;

  constructor(json: JsonObject, schema: JsonSchema, valueOf: ValueOf) {
    super();
    this.json = json;
    this.#schema = schema;
    this.#valueOf = valueOf;
  }

  // What the schema does not know counts too.
  override size(): bigint {
    return BigInt(Object.keys(this.json).length);
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== "string") return noSuchOverload();
    const name = this.#isObject() ? unescapePropertyName(key) : key;
    if (name === undefined || !Object.hasOwn(this.json, name)) return undefined;
    const json = this.json[name];
    // A null property is one that is not there; a null entry of a map is null.
    if (this.#isObject() && json === null) return undefined;
    const schema = this.#schemaOf(name);
    return schema === undefined ? undefined : this.#valueOf(json, schema);
  }

  keys(): readonly CelValue[] {
    const known = Object.keys(this.json).filter((name) => this.#schemaOf(name) !== undefined);
    return this.#isObject() ? known.map((name) => escapePropertyName(name) ?? name) : known;
  }

  equals(other: CelValue): boolean | CelError {
    if (!(other instanceof CelMap)) return noSuchOverload();
    if (other.size() !== this.size()) return false;
    for (const [name, json] of Object.entries(this.json)) {
      const isEqual = this.#schemaOf(name) === undefined ? isSameUnknown(json, name, other) : this.#isSame(name, other);
      if (isEqual !== true) return isEqual;
    }
    return true;
  }

  // Fields are looked up by their unescaped names, so that escaped ones are found on neither side.
  #isSame(name: string, other: CelMap): boolean | CelError {
    const [mine, theirs] = [this.find(name), other.find(name)];
    if (mine === undefined || theirs === undefined) return mine === theirs;
    return equalAs(mine, theirs);
  }

  override plain(): CelValue {
    return toPlainValue(this.json);
  }

  #isObject(): boolean {
    return this.#schema.properties !== undefined;
  }

  #schemaOf(name: string): JsonSchema | undefined {
    const { properties, additionalProperties } = this.#schema;
    if (properties !== undefined) return Object.hasOwn(properties, name) ? properties[name] : undefined;
    return typeof additionalProperties === "object" ? additionalProperties : undefined;
  }
}

function isSameUnknown(json: JSONValue | undefined, name: string, other: CelMap): boolean | CelError {
  if (!(other instanceof SchemaMap)) return noSuchOverload();
  return !Object.hasOwn(other.json, name) || deepEqual(json, other.json[name]);
}
