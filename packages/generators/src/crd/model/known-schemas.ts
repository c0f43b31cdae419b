import { deepFreeze } from "@kubescaffold/k8s";

import type { SchemaNode } from "./schema-node.ts";

const ROOT = "@kubescaffold/k8s";
const META = "@kubescaffold/k8s/meta/v1";

const QUANTITY_PATTERN = String.raw`^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`;

/** The texts that the API gives the two fields of TypeMeta. */
const API_VERSION_TEXT =
  "APIVersion defines the versioned schema of this representation of an object.\n" +
  "Servers should convert recognized schemas to the latest internal value, and\n" +
  "may reject unrecognized values.\n" +
  "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources";
const KIND_TEXT =
  "Kind is a string value representing the REST resource this object represents.\n" +
  "Servers may infer this from the endpoint the client submits requests to.\n" +
  "Cannot be updated.\n" +
  "In CamelCase.\n" +
  "More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds";

const INT_OR_STRING: SchemaNode = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  "x-kubernetes-int-or-string": true,
};
const DATE_TIME: SchemaNode = { type: "string", format: "date-time" };

/** The properties of every object's type, with the API's texts. */
export const TYPE_META_PROPERTIES: Readonly<Record<"apiVersion" | "kind", SchemaNode>> = {
  apiVersion: { type: "string", description: API_VERSION_TEXT },
  kind: { type: "string", description: KIND_TEXT },
};

/** Scalars that stand for themselves, so that markers act on them directly. */
const SCALARS: ReadonlyMap<string, SchemaNode> = new Map<string, SchemaNode>([
  [`${ROOT}#integer`, { type: "integer" }],
  [`${ROOT}#int32`, { type: "integer", format: "int32" }],
  [`${ROOT}#int64`, { type: "integer", format: "int64" }],
  [`${ROOT}#Bytes`, { type: "string", format: "byte" }],
]);

const OBJECT: SchemaNode = {
  type: "object",
  properties: { ...TYPE_META_PROPERTIES, metadata: { type: "object" } },
};

const QUANTITY: SchemaNode = { ...INT_OR_STRING, pattern: QUANTITY_PATTERN };

const KNOWN: ReadonlyMap<string, SchemaNode> = new Map<string, SchemaNode>([
  [`${ROOT}#Quantity`, QUANTITY],
  [`${ROOT}/core/v1#ResourceList`, { type: "object", additionalProperties: QUANTITY }],
  [`${ROOT}#IntOrString`, INT_OR_STRING],
  [`${ROOT}#RawExtension`, { type: "object", "x-kubernetes-preserve-unknown-fields": true }],
  [`${ROOT}#JSONValue`, { "x-kubernetes-preserve-unknown-fields": true }],
  [`${META}#Time`, DATE_TIME],
  [`${META}#MicroTime`, DATE_TIME],
  [`${META}#Duration`, { type: "string" }],
  [`${META}#TypeMeta`, { type: "object", properties: TYPE_META_PROPERTIES }],
  [`${META}#KubernetesObject`, OBJECT],
  [`${META}#NamespacedObject`, OBJECT],
]);

const FLOATS = new Set([`${ROOT}#float32`, `${ROOT}#float64`]);

const BARE_OBJECT_META: SchemaNode = { type: "object", isMetadata: true };

const EMBEDDED_OBJECT_META: SchemaNode = deepFreeze({
  type: "object",
  properties: {
    annotations: { type: "object", additionalProperties: { type: "string" } },
    finalizers: { type: "array", items: { type: "string" } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    name: { type: "string" },
    namespace: { type: "string" },
  },
});

/** What is known of a type of `@kubescaffold/k8s`. */
export type BuiltInSchema =
  /** The node takes the place of the use. */
  | { readonly kind: "scalar"; readonly node: SchemaNode }
  /** The node is that of a named type. */
  | { readonly kind: "named"; readonly node: SchemaNode }
  | { readonly kind: "float" }
  | { readonly kind: "missing" };

/** Looks up the schema of a struct by its name in the tables of `@kubescaffold/k8s`. */
export type StructLookup = (name: string) => Readonly<Record<string, unknown>> | undefined;

export interface BuiltInSchemaOptions {
  readonly module: string;
  readonly name: string;
  readonly generateEmbeddedObjectMeta: boolean;
  readonly structSchema: StructLookup;
}

/** Returns the schema of a type of `@kubescaffold/k8s`, named by its module specifier and its name. */
export function builtInSchema({
  module,
  name,
  generateEmbeddedObjectMeta,
  structSchema,
}: BuiltInSchemaOptions): BuiltInSchema {
  const key = `${module}#${name}`;
  const scalar = SCALARS.get(key);
  if (scalar !== undefined) return { kind: "scalar", node: scalar };
  if (FLOATS.has(key)) return { kind: "float" };
  if (key === `${META}#ObjectMeta`) {
    return { kind: "named", node: generateEmbeddedObjectMeta ? EMBEDDED_OBJECT_META : BARE_OBJECT_META };
  }
  const known = KNOWN.get(key) ?? structSchema(`${module.slice(ROOT.length + 1)}.${name}`);
  if (known === undefined) return { kind: "missing" };
  return { kind: "named", node: generateEmbeddedObjectMeta ? withEmbeddedObjectMeta(known) : known };
}

// Returns the schema with the fields of every ObjectMeta in it. In the API's structs, only ObjectMeta is named `metadata` and has no fields of its own.
function withEmbeddedObjectMeta(node: SchemaNode): SchemaNode {
  const known = EMBEDDED.get(node);
  if (known !== undefined) return known;
  const { properties, items, additionalProperties } = node;
  const changed: SchemaNode = { ...node };
  if (properties !== undefined) {
    changed.properties = Object.fromEntries(
      Object.entries(properties).map(([name, child]) => [
        name,
        name === "metadata" && isBareObject(child) ? EMBEDDED_OBJECT_META : withEmbeddedObjectMeta(child),
      ]),
    );
  }
  if (items !== undefined) changed.items = withEmbeddedObjectMeta(items);
  if (typeof additionalProperties === "object")
    changed.additionalProperties = withEmbeddedObjectMeta(additionalProperties);
  // Frozen like the original: by this, checks tell the nodes of structs from those of the user's types.
  EMBEDDED.set(node, Object.isFrozen(node) ? Object.freeze(changed) : changed);
  return EMBEDDED.get(node) ?? changed;
}

const EMBEDDED = new WeakMap<SchemaNode, SchemaNode>();

function isBareObject(node: SchemaNode): boolean {
  return node.type === "object" && Object.keys(node).length === 1;
}
