import type { GroupVersionKind } from "../group-version.ts";

/** A schema of an OpenAPI v3 document of Kubernetes. */
export interface OpenApiSchema {
  /** `#/components/schemas/` and the name of a definition. */
  readonly $ref?: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly format?: string;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly additionalProperties?: OpenApiSchema;
  readonly items?: OpenApiSchema;
  readonly required?: readonly string[];
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
  readonly "x-kubernetes-list-type"?: "atomic" | "set" | "map";
  readonly "x-kubernetes-list-map-keys"?: readonly string[];
  readonly "x-kubernetes-map-type"?: "atomic" | "granular";
  readonly "x-kubernetes-patch-strategy"?: string;
  readonly "x-kubernetes-patch-merge-key"?: string;
  readonly "x-kubernetes-unions"?: readonly unknown[];
}
