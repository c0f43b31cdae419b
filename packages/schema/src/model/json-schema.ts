import type { JSONValue } from "@kubescaffold/k8s";

/**
 * A schema as a CustomResourceDefinition carries it, and as OpenAPI describes built-in kinds.
 *
 * It is structural: `JSONSchemaProps` of `apiextensions/v1` fits it.
 */
export interface JsonSchema {
  /** A reference to a definition; only in the schemas of built-in kinds. */
  readonly $ref?: string;
  /** The dialect of the schema; CRDs cannot set it. */
  readonly $schema?: string;
  /** The identifier of the schema; CRDs cannot set it. */
  readonly id?: string;
  /** A short title, for documentation. */
  readonly title?: string;
  /** The documentation, which `kubectl explain` prints. */
  readonly description?: string;
  /** The JSON type of the value. */
  readonly type?: string;
  /** The format of the value, such as `int32`, `date-time`, or `byte`. */
  readonly format?: string;
  /** Whether `null` is allowed. */
  readonly nullable?: boolean;
  /** The value of an absent field. */
  readonly default?: unknown;
  /** An example, for documentation. */
  readonly example?: unknown;
  /** The allowed values. */
  readonly enum?: readonly JSONValue[];
  /** A link to further documentation. */
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  /** The maximum of a number. */
  readonly maximum?: number;
  /** Whether the value must be less than `maximum`. */
  readonly exclusiveMaximum?: boolean;
  /** The minimum of a number. */
  readonly minimum?: number;
  /** Whether the value must be greater than `minimum`. */
  readonly exclusiveMinimum?: boolean;
  /** The number of which the value must be a multiple. */
  readonly multipleOf?: number;
  /** The maximum number of characters of a string. */
  readonly maxLength?: number;
  /** The minimum number of characters of a string. */
  readonly minLength?: number;
  /** The regular expression, in the syntax of Go, that a string must match. */
  readonly pattern?: string;
  /** The maximum number of items of a list. */
  readonly maxItems?: number;
  /** The minimum number of items of a list. */
  readonly minItems?: number;
  /** Whether the items of a list must differ; CRDs cannot set it. */
  readonly uniqueItems?: boolean;
  /** The maximum number of fields of an object. */
  readonly maxProperties?: number;
  /** The minimum number of fields of an object. */
  readonly minProperties?: number;
  /** The names of the required fields. */
  readonly required?: readonly string[];
  /** The schemas of the fields of an object. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** The schema of the values of a map, or whether other fields are allowed. */
  readonly additionalProperties?: JsonSchema | boolean;
  /** Schemas of fields by patterns of their names; CRDs cannot set it. */
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  /** The schema of the items of a list. */
  readonly items?: JsonSchema | readonly JsonSchema[];
  /** The schema of items without one in a list of schemas; CRDs cannot set it. */
  readonly additionalItems?: JsonSchema | boolean;
  /** Definitions for references; CRDs cannot set it. */
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  /** Requirements of other fields if a field is present; CRDs cannot set it. */
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>>;
  /** Schemas that must all match. */
  readonly allOf?: readonly JsonSchema[];
  /** Schemas of which at least one must match. */
  readonly anyOf?: readonly JsonSchema[];
  /** Schemas of which exactly one must match. */
  readonly oneOf?: readonly JsonSchema[];
  /** A schema that must not match. */
  readonly not?: JsonSchema;
  /** Whether the server keeps fields that the schema does not declare. */
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  /** Whether the value is an object with `apiVersion`, `kind`, and `metadata`. */
  readonly "x-kubernetes-embedded-resource"?: boolean;
  /** Whether the value is an integer or a string. */
  readonly "x-kubernetes-int-or-string"?: boolean;
  /** Whether server-side apply replaces a list (`atomic`), or merges it as a `set` or by keys (`map`). */
  readonly "x-kubernetes-list-type"?: string;
  /** The fields that identify an item of a list of the type `map`. */
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  /** Whether server-side apply replaces an object (`atomic`), or merges its fields (`granular`). */
  readonly "x-kubernetes-map-type"?: string;
  /** How strategic merge patches treat the field; only in the schemas of built-in kinds. */
  readonly "x-kubernetes-patch-strategy"?: string;
  /** The field by which strategic merge patches match the items of a list; only in the schemas of built-in kinds. */
  readonly "x-kubernetes-patch-merge-key"?: string;
  /** Validation rules in CEL. */
  readonly "x-kubernetes-validations"?: readonly ValidationRule[];
}

/** One CEL rule of `x-kubernetes-validations`. */
export interface ValidationRule {
  /** The CEL expression. */
  readonly rule: string;
  /** The message of a violation. */
  readonly message?: string;
  /** A CEL expression for the message. */
  readonly messageExpression?: string;
  /** The machine-readable reason of a violation. */
  readonly reason?: string;
  /** The field that a violation is reported at, relative to the schema. */
  readonly fieldPath?: string;
  /** Whether `oldSelf` is optional, so that the rule runs on creation, too. */
  readonly optionalOldSelf?: boolean;
}

/** Resolves a `$ref`; required for built-in kinds, because CRD schemas have no references. */
export type SchemaResolver = (ref: string) => JsonSchema | undefined;

/** Options of functions that traverse a schema. */
export interface SchemaOptions {
  /** Follows references; with it an object without any members counts as free-form, as built-in types mean it. */
  readonly resolve?: SchemaResolver | undefined;
}

/** Returns the one schema of a list's items; a list of schemas, which no server accepts, counts as none. */
export function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  return isSchemaList(schema.items) ? undefined : schema.items;
}

/** Returns the schema of undeclared members where `additionalProperties` is a schema. */
export function additionalSchemaOf(schema: JsonSchema): JsonSchema | undefined {
  return typeof schema.additionalProperties === "object" ? schema.additionalProperties : undefined;
}

/** Returns the schema of a declared member; inherited names such as `constructor` are none. */
export function propertyOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  return schema.properties !== undefined && Object.hasOwn(schema.properties, name)
    ? schema.properties[name]
    : undefined;
}

/** Returns the default of a schema; null counts as none. */
export function defaultOf(schema: JsonSchema): JSONValue | undefined {
  // A schema is JSON, so what stands for its default is JSON too.
  return schema.default === null ? undefined : (schema.default as JSONValue | undefined);
}

/** Reports whether `items` is a list of schemas. */
export function isSchemaList(items: JsonSchema["items"]): items is readonly JsonSchema[] {
  return Array.isArray(items);
}
