import type { GroupVersionKind } from "../group-version.ts";

/** A schema of an OpenAPI v3 document of Kubernetes. */
export interface OpenApiSchema {
  /** `#/components/schemas/` and the name of a definition. */
  readonly $ref?: string;
  /** The description, where descriptions were added. */
  readonly description?: string;
  /** The type of the value. */
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  /** The format of the value, such as `int32` or `date-time`. */
  readonly format?: string;
  /** The schemas of the fields of an object. */
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  /** The schema of the values of a map. */
  readonly additionalProperties?: OpenApiSchema;
  /** The schema of the items of a list. */
  readonly items?: OpenApiSchema;
  /** The names of the required fields. */
  readonly required?: readonly string[];
  /** The allowed values. */
  readonly enum?: readonly string[];
  /** The default of the field. */
  readonly default?: unknown;
  /** Schemas that all apply; here, a reference beside a default. */
  readonly allOf?: readonly OpenApiSchema[];
  /** Schemas of which exactly one applies, for values of several types. */
  readonly oneOf?: readonly OpenApiSchema[];
  /** The kinds that use the definition. */
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
  /** Whether server-side apply replaces a list, or merges it as a set or by keys. */
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  /** The fields that identify an item of a list of the type `map`. */
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  /** Whether server-side apply replaces an object, or merges its fields. */
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  /** How strategic merge patches treat the field: `merge`, `replace`, or `retainKeys`. */
  readonly "x-kubernetes-patch-strategy"?: string;
  /** The field by which strategic merge patches match the items of a list. */
  readonly "x-kubernetes-patch-merge-key"?: string;
  /** Fields of which at most one is set. */
  readonly "x-kubernetes-unions"?: readonly unknown[];
}
