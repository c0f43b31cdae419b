import type { Json } from "./row.ts";

export const GROUP = "conformance.example.com";

/** The definitions that every target has before the first row: a small kind with a status and one with a rich schema. */
export const SHARED_CRDS: readonly Json[] = [
  crd({
    group: GROUP,
    kind: "Widget",
    shortNames: ["wd"],
    categories: ["all"],
    schema: {
      spec: {
        type: "object",
        properties: {
          size: { type: "integer", minimum: 1, maximum: 10, description: "How large it is." },
          mode: { type: "string", enum: ["Fast", "Slow"] },
          image: { type: "string" },
          colors: { type: "array", items: { type: "string" } },
        },
      },
      status: { type: "object", properties: { phase: { type: "string" }, observed: { type: "integer" } } },
    },
    version: {
      subresources: { status: {} },
      additionalPrinterColumns: [
        { name: "Size", type: "integer", jsonPath: ".spec.size", description: "Its size" },
        { name: "Phase", type: "string", jsonPath: ".status.phase" },
        { name: "Image", type: "string", jsonPath: ".spec.image", priority: 1 },
        { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
      ],
    },
  }),
  crd({
    group: GROUP,
    kind: "Gadget",
    schema: {
      spec: {
        type: "object",
        required: ["title"],
        properties: {
          title: { type: "string", minLength: 2, maxLength: 8, pattern: "^[a-z]+$" },
          count: { type: "integer", format: "int32", minimum: 1, maximum: 10 },
          ratio: { type: "number", exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 },
          flag: { type: "boolean" },
          mode: { type: "string", enum: ["a", "b"] },
          level: { type: "string", default: "low" },
          nested: {
            type: "object",
            default: {},
            properties: { depth: { type: "integer", default: 3 }, note: { type: "string" } },
          },
          items: {
            type: "array",
            maxItems: 3,
            "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["name"],
            items: {
              type: "object",
              required: ["name"],
              properties: { name: { type: "string" }, weight: { type: "integer", default: 5 } },
            },
          },
          tags: { type: "array", minItems: 1, "x-kubernetes-list-type": "set", items: { type: "string" } },
          labels: { type: "object", maxProperties: 2, additionalProperties: { type: "string" } },
          port: { "x-kubernetes-int-or-string": true },
          when: { type: "string", format: "date-time" },
          note: { type: "string", nullable: true },
          free: {
            type: "object",
            "x-kubernetes-preserve-unknown-fields": true,
            properties: { known: { type: "object", properties: { a: { type: "string" } } } },
          },
          template: {
            type: "object",
            "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true,
          },
          choice: {
            type: "object",
            properties: { x: { type: "string" }, y: { type: "string" } },
            oneOf: [{ required: ["x"] }, { required: ["y"] }],
          },
        },
      },
    },
  }),
];

/** What a definition is made from; plurals are regular. */
export interface CrdFields {
  readonly group: string;
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** The properties of the root. */
  readonly schema: Json;
  /** More fields of the one version. */
  readonly version?: Json;
  readonly scope?: "Namespaced" | "Cluster";
}

/** Returns a definition with one version, v1. */
export function crd({
  group,
  kind,
  shortNames,
  categories,
  schema,
  version = {},
  scope = "Namespaced",
}: CrdFields): Json {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: { plural, singular, kind, ...(shortNames ? { shortNames } : {}), ...(categories ? { categories } : {}) },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", properties: schema } },
          ...version,
        },
      ],
    },
  };
}

/** Returns the path of a namespace's objects of a shared or built-in kind, or of one of them. */
export function pathOf(plural: string, namespace: string, name = ""): string {
  const prefix = API_PREFIXES[plural] ?? `/apis/${GROUP}/v1`;
  return `${prefix}/namespaces/${namespace}/${plural}${name === "" ? "" : `/${name}`}`;
}

const API_PREFIXES: Readonly<Record<string, string>> = {
  configmaps: "/api/v1",
  podtemplates: "/api/v1",
  secrets: "/api/v1",
  services: "/api/v1",
  serviceaccounts: "/api/v1",
  pods: "/api/v1",
  events: "/api/v1",
  deployments: "/apis/apps/v1",
  leases: "/apis/coordination.k8s.io/v1",
  roles: "/apis/rbac.authorization.k8s.io/v1",
  rolebindings: "/apis/rbac.authorization.k8s.io/v1",
};

/** Returns a Widget. */
export function widget(name: string, spec: Json = { size: 1 }, metadata: Json = {}): Json {
  return { apiVersion: `${GROUP}/v1`, kind: "Widget", metadata: { name, ...metadata }, spec };
}

/** Returns a Gadget whose title is valid. */
export function gadget(name: string, spec: Json = {}): Json {
  return { apiVersion: `${GROUP}/v1`, kind: "Gadget", metadata: { name }, spec: { title: "ok", ...spec } };
}

/** Returns a ConfigMap. */
export function configMap(name: string, data: Json = { a: "1" }, metadata: Json = {}): Json {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

/** Returns a Deployment with two containers. */
export function deployment(name: string): Json {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels: { app: name } },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          containers: [
            { name: "web", image: "nginx:1.27", env: [{ name: "A", value: "1" }], ports: [{ containerPort: 80 }] },
            { name: "side", image: "busybox" },
          ],
        },
      },
    },
  };
}
