import type { JSONValue } from "@kubescaffold/k8s";

/**
 * A schema as a CustomResourceDefinition carries it, and as OpenAPI describes built-in kinds.
 *
 * It is structural: `JSONSchemaProps` of `apiextensions/v1` fits it.
 */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $schema?: string;
  readonly id?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly example?: unknown;
  readonly enum?: readonly JSONValue[];
  readonly externalDocs?: { readonly description?: string; readonly url?: string };
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly multipleOf?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema | readonly JsonSchema[];
  readonly additionalItems?: JsonSchema | boolean;
  readonly definitions?: Readonly<Record<string, JsonSchema>>;
  readonly dependencies?: Readonly<Record<string, JsonSchema | readonly string[]>>;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
  readonly "x-kubernetes-preserve-unknown-fields"?: boolean;
  readonly "x-kubernetes-embedded-resource"?: boolean;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-list-type"?: string;
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: string;
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
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
