import type { Json } from "../conformance/row.ts";

const GROUP = "openapi.example.com";

const INT_OR_STRING = { "x-kubernetes-int-or-string": true };

const ALTERNATIVES = {
  port: INT_OR_STRING,
  bounded: { ...INT_OR_STRING, anyOf: [{ minimum: 1 }, { pattern: "^a" }] },
  stated: { ...INT_OR_STRING, anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^1" },
  listed: { ...INT_OR_STRING, allOf: [{ anyOf: [{ type: "integer" }, { type: "string" }] }, { maxLength: 3 }] },
  exclusive: object(
    { a: { type: "string" }, b: { type: "string" } },
    { oneOf: [{ required: ["a"] }, { required: ["b"] }], not: { required: ["a", "b"] } },
  ),
} as const;

const LISTS = {
  ports: {
    type: "array",
    maxItems: 4,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: object({ name: { type: "string", minLength: 1 }, value: INT_OR_STRING }, { required: ["name"] }),
  },
  tags: { type: "array", items: { type: "string", format: "date-time" }, "x-kubernetes-list-type": "set" },
  labels: { type: "object", additionalProperties: { type: "string", maxLength: 5 } },
  atoms: { ...object({ a: { type: "boolean", default: false } }), "x-kubernetes-map-type": "atomic" },
} as const;

const EMBEDDED = { type: "object", "x-kubernetes-embedded-resource": true };

const OPEN_FIELDS = {
  anything: { "x-kubernetes-preserve-unknown-fields": true },
  objects: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { a: { type: "string" } } },
  embedded: { ...EMBEDDED, properties: { spec: object({ a: { type: "string" } }) } },
  openEmbedded: { ...EMBEDDED, "x-kubernetes-preserve-unknown-fields": true, required: ["kind"] },
  embeddedItems: { type: "array", items: { ...EMBEDDED, "x-kubernetes-preserve-unknown-fields": true } },
  documented: { type: "number", externalDocs: { url: "https://example.com", description: "More." }, multipleOf: 0.5 },
} as const;

/** Definitions whose group versions have what documents of custom resources may contain: two kinds in one version, another version, and both scopes. */
export const DOCUMENT_CRDS: readonly Json[] = [
  crd({ kind: "Shelf", scope: "Namespaced" }, [
    {
      name: "v1",
      storage: true,
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
      },
      selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.place.row" }],
      schema: object(
        {
          spec: object({
            replicas: { type: "integer", format: "int32", minimum: 0, maximum: 9, default: 1 },
            color: { type: "string", enum: ["blue", "red"], example: "red", title: "Color" },
            place: object({ row: { type: "string" } }, { nullable: true }),
            ...ALTERNATIVES,
            ...LISTS,
            ...OPEN_FIELDS,
          }),
          status: object({ replicas: { type: "integer" } }),
        },
        {
          required: ["spec"],
          "x-kubernetes-validations": [{ rule: "has(self.spec)", message: "spec", fieldPath: ".spec" }],
        },
      ),
    },
    { name: "v1beta1", storage: false, deprecated: true, schema: object({ spec: object({}) }) },
  ]),
  crd({ kind: "Room", scope: "Cluster" }, [
    {
      name: "v1",
      storage: true,
      schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true, description: "A room." },
    },
  ]),
];

function object(properties: Json, others: Json = {}): Json {
  return { type: "object", properties, ...others };
}

function crd({ kind, scope }: { readonly kind: string; readonly scope: string }, versions: readonly Json[]): Json {
  const singular = kind.toLowerCase();
  const plural = singular === "shelf" ? "shelves" : `${singular}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope,
      names: { kind, plural, singular, listKind: `${kind}List` },
      versions: versions.map(({ schema, ...version }) => ({
        ...version,
        served: true,
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}
