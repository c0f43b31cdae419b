import type { SourceLocation } from "../../loader/type-model.ts";
import type { MarkerValue } from "../../markers/definitions/marker-definition.ts";

/** A rule in CEL. */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
  /** The rule where values have no old value; it is not printed. */
  readonly withoutOldSelf?: string;
}

/** The keywords of a schema as they are in a CRD. */
interface SchemaKeywords {
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: MarkerValue;
  maximum?: number | bigint;
  exclusiveMaximum?: boolean;
  minimum?: number | bigint;
  exclusiveMinimum?: boolean;
  maxLength?: number | bigint;
  minLength?: number | bigint;
  pattern?: string;
  maxItems?: number | bigint;
  minItems?: number | bigint;
  uniqueItems?: boolean;
  multipleOf?: number | bigint;
  enum?: readonly MarkerValue[];
  maxProperties?: number | bigint;
  minProperties?: number | bigint;
  required?: readonly string[];
  externalDocs?: { readonly url: string; readonly description?: string };
  example?: MarkerValue;
  nullable?: boolean;
  "x-kubernetes-preserve-unknown-fields"?: boolean;
  "x-kubernetes-embedded-resource"?: boolean;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-map-keys"?: readonly string[];
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-map-type"?: string;
  "x-kubernetes-validations"?: readonly ValidationRule[];
}

/**
 * A schema while it is made: it may refer to a named type, and knows where it comes from.
 *
 * A node is changed only by the function that makes it; afterwards it is shared.
 */
export interface SchemaNode extends SchemaKeywords {
  /** The key of the named type that the node is a use of. */
  reference?: string;
  /** The property or type that the node comes from. */
  origin?: SourceLocation;
  /** The marker that the default comes from: inherited twice, it is still one. */
  defaultOrigin?: SourceLocation;
  /** Whether `items` only adds to those of the type that the node is a use of. */
  hasItemsOverlay?: boolean;
  /** Whether the node is that of `ObjectMeta`, whose fields servers know only in whole objects. */
  isMetadata?: boolean;
  /** Whether the type has no schema, and an error says so. */
  isUnresolved?: boolean;
  /** What `+k8s:unique` makes distinct: the items, or their keys. */
  uniqueItemsOf?: "set" | "map";
  /** The keys of the items of a list that is not of type map. */
  uniqueKeys?: readonly string[];
  /** Keywords that take the place of those of the finished schema; null removes one. */
  override?: JsonSchema;
  items?: SchemaNode;
  allOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  anyOf?: readonly SchemaNode[];
  properties?: Readonly<Record<string, SchemaNode>>;
  additionalProperties?: SchemaNode | true;
}

/** A schema without references, as it is printed. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const INTERNAL = new Set([
  "reference",
  "origin",
  "defaultOrigin",
  "hasItemsOverlay",
  "isMetadata",
  "isUnresolved",
  "uniqueItemsOf",
  "uniqueKeys",
  "override",
]);

/** Returns the node as it is printed: without what only the generator knows, and without what says nothing. */
export function toJsonSchema(node: SchemaNode): JsonSchema {
  // Schemas of built-in structs are frozen, and are as they are printed; printing them once is enough for all their uses.
  if (Object.isFrozen(node)) return node as JsonSchema;
  const entries = Object.entries(node).filter(([key, value]) => !INTERNAL.has(key) && !saysNothing(key, value));
  return Object.fromEntries(entries.map(([key, value]) => [key, printKeyword(key, value)]));
}

function printKeyword(key: string, value: unknown): unknown {
  switch (key) {
    case "items":
    case "additionalProperties":
      return value === true ? true : toJsonSchema(value as SchemaNode);
    case "allOf":
    case "oneOf":
    case "anyOf":
      return (value as readonly SchemaNode[]).map((each) => toJsonSchema(each));
    case "properties":
      return Object.fromEntries(
        Object.entries(value as Record<string, SchemaNode>).map(([name, each]) => [name, toJsonSchema(each)]),
      );
    default:
      return value;
  }
}

// Upstream omits what is empty, zero values of booleans among them; a default may be empty or false, not null.
function saysNothing(key: string, value: unknown): boolean {
  if (key === "default" || key === "example") return value === undefined || value === null;
  if (value === undefined || value === "" || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return key === "properties" && Object.keys(value as object).length === 0;
}
