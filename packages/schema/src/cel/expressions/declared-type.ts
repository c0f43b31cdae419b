import type { JsonSchema } from "../../model/json-schema.ts";
import { itemsOf } from "../../model/json-schema.ts";
import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  structType,
  TIMESTAMP,
} from "../values/cel-type.ts";
import { escapePropertyName } from "../values/property-names.ts";
import { isEmbeddedResource, withResourceFields } from "../values/resource-fields.ts";

/**
 * The CEL type that a schema declares, and the maximum size of its values, which determines the estimated cost.
 *
 * Guarantees: sizes are those of apiextensions-apiserver, which counts a request of 3 MiB.
 */
export type DeclaredType = DeclaredObject | DeclaredList | DeclaredMap | DeclaredScalar;

interface DeclaredCommon {
  readonly celType: CelType;
  /** The most elements, entries, or bytes of a text; 0 where there is no such thing, as for objects and numbers. */
  readonly maxElements: number;
  /** The fewest bytes a value takes as JSON. */
  readonly minSerializedSize: number;
}

interface DeclaredObject extends DeclaredCommon {
  readonly kind: "object";
  /** By escaped name; what CEL cannot name or does not type is missing. */
  readonly fields: ReadonlyMap<string, DeclaredType>;
}

interface DeclaredList extends DeclaredCommon {
  readonly kind: "list";
  readonly element: DeclaredType;
}

interface DeclaredMap extends DeclaredCommon {
  readonly kind: "map";
  /** Whether the size of a value that is selected by name counts, which it does not in maps of custom resources. */
  readonly hasNamedValues?: boolean;
  readonly key: DeclaredType;
  readonly value: DeclaredType;
}

interface DeclaredScalar extends DeclaredCommon {
  readonly kind: "scalar";
}

const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
const SHORTEST_DURATION = 3;
const SHORTEST_DATE_TIME = 21;
const DATE_LENGTH = 12;
const LONGEST_TIME = 32;
const EMPTY_TEXT = 2;
const EMPTY_COLLECTION = 2;

/**
 * Returns what a structural schema declares to CEL, or undefined where rules have no view of its values: no type, a list without
 * items, or a map of what has none.
 *
 * `isResourceRoot` adds what every resource has: apiVersion, kind and the names in metadata, which `boundsNames` bounds. Types that are used together need different names.
 */
export function declareType(
  schema: JsonSchema,
  options: { readonly isResourceRoot?: boolean; readonly name?: string; readonly boundsNames?: boolean } = {},
): DeclaredType | undefined {
  const { isResourceRoot = isEmbeddedResource(schema), name = "@self", boundsNames = false } = options;
  return declare(schema, isResourceRoot, { path: name, boundsNames });
}

/**
 * Returns the declared type below a root by a path as cel-go's cost estimator walks it: escaped names, and `@items`, `@keys` and
 * `@values`.
 */
export function declaredTypeAt(root: DeclaredType, path: readonly string[]): DeclaredType | undefined {
  return path.reduce<DeclaredType | undefined>((type, segment) => type && stepInto(type, segment), root);
}

function stepInto(type: DeclaredType, segment: string): DeclaredType | undefined {
  if (segment === "@items" || segment === "@values") {
    if (type.kind === "list") return type.element;
    return type.kind === "map" ? type.value : undefined;
  }
  if (segment === "@keys") return type.kind === "map" ? type.key : undefined;
  if (type.kind === "map") return type.hasNamedValues === true ? type.value : undefined;
  return type.kind === "object" ? type.fields.get(segment) : undefined;
}

interface DeclaredPlace {
  /** Objects take the path to them for a name: no two of a schema are the same type. */
  readonly path: string;
  readonly boundsNames: boolean;
}

function below(place: DeclaredPlace, name: string): DeclaredPlace {
  return { ...place, path: `${place.path}.${name}` };
}

function declare(schema: JsonSchema, isResource: boolean, place: DeclaredPlace): DeclaredType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) {
    return scalar(DYN, 1, schema.maxLength === undefined ? MAX_REQUEST_BYTES - 2 : bytesOfLength(schema.maxLength));
  }
  const shown = isResource ? withResourceFields(schema, place.boundsNames) : schema;
  switch (shown.type) {
    case "array":
      return declareList(shown, place);
    case "object":
      return typeof shown.additionalProperties === "object" ? declareMap(shown, place) : declareObject(shown, place);
    case "string":
      return declareString(shown);
    case "boolean":
      return scalar(BOOL, 4, 0);
    case "number":
      return scalar(DOUBLE, 1, 0);
    case "integer":
      return scalar(INT, 1, 0);
    default:
      return undefined;
  }
}

function declareList(schema: JsonSchema, place: DeclaredPlace): DeclaredList | undefined {
  const items = itemsOf(schema);
  const element = items && declare(items, isEmbeddedResource(items), below(place, "@idx"));
  if (element === undefined) return undefined;
  const mostThatFit = Math.floor((MAX_REQUEST_BYTES - 2) / (element.minSerializedSize + 1));
  const maxElements = schema.maxItems === undefined ? mostThatFit : lengthOf(schema.maxItems);
  return { kind: "list", element, celType: listOf(element.celType), maxElements, minSerializedSize: EMPTY_COLLECTION };
}

function declareMap(schema: JsonSchema, place: DeclaredPlace): DeclaredMap | undefined {
  const values = schema.additionalProperties;
  const value =
    typeof values === "object" ? declare(values, isEmbeddedResource(values), below(place, "@elem")) : undefined;
  if (value === undefined) return undefined;
  const mostThatFit = Math.floor((MAX_REQUEST_BYTES - 2) / (value.minSerializedSize + 6));
  const maxElements = schema.maxProperties === undefined ? mostThatFit : lengthOf(schema.maxProperties);
  const key = scalar(STRING, EMPTY_TEXT, 0);
  return {
    kind: "map",
    key,
    value,
    celType: mapOf(STRING, value.celType),
    maxElements,
    minSerializedSize: EMPTY_COLLECTION,
  };
}

function declareObject(schema: JsonSchema, place: DeclaredPlace): DeclaredObject {
  const fields = new Map<string, DeclaredType>();
  let minSerializedSize = EMPTY_COLLECTION;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapePropertyName(name);
    const field = declare(property, isEmbeddedResource(property), below(place, escaped ?? name));
    if (field === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    const isAlwaysThere = schema.required?.includes(name) === true && (property.default ?? null) === null;
    if (isAlwaysThere) minSerializedSize += byteLength(name) + field.minSerializedSize + 4;
  }
  return { kind: "object", fields, celType: structType(place.path), maxElements: 0, minSerializedSize };
}

function declareString(schema: JsonSchema): DeclaredScalar {
  switch (schema.format) {
    case "byte":
      return scalar(
        BYTES,
        EMPTY_TEXT,
        schema.maxLength === undefined ? MAX_REQUEST_BYTES - 2 : lengthOf(schema.maxLength),
      );
    case "duration":
      return scalar(DURATION, SHORTEST_DURATION, LONGEST_TIME);
    case "date":
      return scalar(TIMESTAMP, DATE_LENGTH, DATE_LENGTH);
    case "date-time":
      return scalar(TIMESTAMP, SHORTEST_DATE_TIME, LONGEST_TIME);
    default:
      return scalar(STRING, EMPTY_TEXT, longestText(schema));
  }
}

function longestText(schema: JsonSchema): number {
  if (schema.maxLength !== undefined) return bytesOfLength(schema.maxLength);
  const choices = schema.enum ?? [];
  if (choices.length === 0) return MAX_REQUEST_BYTES - 2;
  return Math.max(0, ...choices.map((choice) => (typeof choice === "string" ? byteLength(choice) : 0)));
}

// maxLength counts code points, and one takes up to four bytes.
function bytesOfLength(maxLength: number): number {
  return lengthOf(maxLength) * 4;
}

// Bounds of stored schemas are read without loss, so one beyond 2^53 is a `bigint`.
function lengthOf(bound: number | bigint): number {
  return Math.max(Number(bound), 0);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

function scalar(celType: CelType, minSerializedSize: number, maxElements: number): DeclaredScalar {
  return { kind: "scalar", celType, minSerializedSize, maxElements };
}
