import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { JsonSchema } from "@kubescaffold/schema";
import { describe, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";
import { deepDerivative, deepEqual } from "../../src/client/semantic.ts";
import { createOrPatch, createOrUpdate } from "../../src/controllerutil/controllerutil.ts";
import { createFakeApi } from "../client/fake-api.ts";
import { createObjectStore } from "../client/object-store.ts";

type Fields = Readonly<Record<string, unknown>>;

function pod(spec: Fields, metadata: Fields = {}): KubernetesObject {
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "a", ...metadata }, spec } as KubernetesObject;
}

function container(fields: Fields): KubernetesObject {
  return pod({ containers: [{ name: "main", ...fields }] });
}

function custom(spec: Fields, metadata: Fields = {}): KubernetesObject {
  return { apiVersion: "demo/v1", kind: "Guestbook", metadata: { name: "a", ...metadata }, spec } as KubernetesObject;
}

const limits = (cpu: string | number, memory: string): Fields => ({ resources: { limits: { cpu, memory } } });
const env = (resourceFieldRef: Fields): KubernetesObject =>
  container({ env: [{ name: "CPU", valueFrom: { resourceFieldRef } }] });

const QUANTITY = {
  anyOf: [{ type: "integer" }, { type: "string" }],
  pattern:
    "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
  "x-kubernetes-int-or-string": true,
} as const;
const GUESTBOOK: JsonSchema = {
  type: "object",
  properties: {
    metadata: { type: "object" },
    spec: {
      type: "object",
      properties: {
        cpu: QUANTITY,
        selector: { type: "object", additionalProperties: { type: "string" } },
        tls: { type: "object", properties: {} },
      },
    },
  },
};

const EQUAL: readonly (readonly [string, unknown, unknown])[] = [
  ["CPU of 1000m and 1", container(limits("1000m", "1Gi")), container(limits("1", "1024Mi"))],
  ["a quantity as a number", container(limits(1, "1Gi")), container(limits("1", "1Gi"))],
  ["empty and absent labels", pod({}, { labels: {} }), pod({})],
  ["null and absent labels", pod({}, { labels: null }), pod({}, { labels: {} })],
  ["an absent and a null creation time", pod({}, { creationTimestamp: null }), pod({})],
  ["an empty and an absent list", pod({ tolerations: [] }), pod({})],
  ["absent resources and resources without limits", container({}), container({ resources: { limits: {} } })],
  [
    "times in two zones",
    pod({}, { creationTimestamp: "2026-01-01T02:00:00+02:00" }),
    pod({}, { creationTimestamp: "2026-01-01T00:00:00Z" }),
  ],
  ["lists of a custom resource", custom({ hosts: [] }), custom({ hosts: null })],
  ["a divisor of 0", env({ resource: "limits.cpu", divisor: "0" }), env({ resource: "limits.cpu" })],
  ["labels of a custom resource", custom({}, { labels: {}, annotations: null }), custom({})],
];

const DIFFERENT: readonly (readonly [string, unknown, unknown])[] = [
  ["quantities", container(limits("1001m", "1Gi")), container(limits("1", "1Gi"))],
  ["an invalid quantity", container(limits("one", "1Gi")), container(limits("1", "1Gi"))],
  ["an annotation of 1000m and 1", pod({}, { annotations: { cpu: "1000m" } }), pod({}, { annotations: { cpu: "1" } })],
  ["a label with an empty value", pod({}, { labels: { a: "" } }), pod({}, { labels: {} })],
  ["an argument of 1Gi", container({ args: ["1Gi"] }), container({ args: ["1024Mi"] })],
  ["a key of a limit", container({ resources: { limits: { cpu: "0" } } }), container({ resources: { limits: {} } })],
  ["an emptyDir", pod({ volumes: [{ name: "a", emptyDir: {} }] }), pod({ volumes: [{ name: "a" }] })],
  [
    "times with fractions",
    pod({}, { creationTimestamp: "2026-01-01T00:00:00.0000001Z" }),
    pod({}, { creationTimestamp: "2026-01-01T00:00:00Z" }),
  ],
  [
    "the number of replicas",
    { apiVersion: "apps/v1", kind: "Deployment", spec: { replicas: 0 } },
    { apiVersion: "apps/v1", kind: "Deployment", spec: {} },
  ],
  [
    "a port as text",
    { apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 1, targetPort: "80" }] } },
    { apiVersion: "v1", kind: "Service", spec: { ports: [{ port: 1, targetPort: 80 }] } },
  ],
  ["the order of a list", container({ args: ["a", "b"] }), container({ args: ["b", "a"] })],
  ["an empty object of a custom resource", custom({ tls: {} }), custom({})],
  ["texts of a custom resource", custom({ limits: { cpu: "1000m" } }), custom({ limits: { cpu: "1" } })],
  [
    "a selector of all namespaces",
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      spec: { ingress: [{ from: [{ namespaceSelector: {} }] }] },
    },
    { apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy", spec: { ingress: [{ from: [{}] }] } },
  ],
];

describe("deepEqual", () => {
  it.each(EQUAL)("finds %s equal", (_, left, right) => {
    expect([deepEqual(left, right), deepEqual(right, left)]).toEqual([true, true]);
  });

  it.each(DIFFERENT)("finds a difference in %s", (_, left, right) => {
    expect([deepEqual(left, right), deepEqual(right, left)]).toEqual([false, false]);
  });

  it("compares a custom resource by its schema", () => {
    const options = { schema: GUESTBOOK };
    expect(deepEqual(custom({ cpu: "1000m", selector: {} }), custom({ cpu: 1 }), options)).toBe(true);
    expect(deepEqual(custom({ cpu: "1000m" }), custom({ cpu: "2" }), options)).toBe(false);
    expect(deepEqual(custom({ tls: {} }), custom({}), options)).toBe(false);
  });

  it("does not take inherited members for fields", () => {
    expect(deepEqual(custom({ toString: null }), custom({}))).toBe(true);
    expect(deepEqual(custom({ constructor: "a" }), custom({}))).toBe(false);
  });
});

describe("deepDerivative", () => {
  it("ignores fields that are not set in the first value", () => {
    const stored = pod({ hostname: "a", containers: [{ name: "main", image: "nginx", ...limits("1", "1Gi") }] });
    expect(
      deepDerivative(pod({ hostname: "", containers: [{ name: "main", ...limits("1000m", "1024Mi") }] }), stored),
    ).toBe(true);
    expect(deepDerivative(pod({ tolerations: [], nodeSelector: {} }), stored)).toBe(true);
    expect(deepDerivative(pod({}, { labels: { a: "b" } }), stored)).toBe(false);
    expect(deepDerivative(pod({ containers: [{ name: "main" }, { name: "second" }] }), stored)).toBe(false);
    expect(deepDerivative(pod({ hostname: "b" }), stored)).toBe(false);
  });
});

describe("createOrUpdate and createOrPatch", () => {
  const Workload: Kind<Deployment> = defineKind<Deployment>({ group: "apps", version: "v1" }, "Deployment");
  const wanted = Workload.create({ metadata: { namespace: "a", name: "b" } });

  function changed(object: Deployment, resources: Fields, more: Fields = {}): void {
    const spec = {
      selector: {},
      template: { metadata: {}, spec: { containers: [{ name: "main", resources }], ...more } },
    };
    Object.assign(object, { spec });
  }

  it("guarantee 13: write nothing when the desired state differs from the stored one only in notation", async () => {
    const api = createFakeApi({ answer: createObjectStore().answer });
    const client = createClient(api.config);
    await createOrUpdate(client, wanted, (object) => changed(object, { limits: { cpu: "1", memory: "1Gi" } }));
    const notation = (object: Deployment): void => {
      object.metadata.labels = {};
      changed(
        object,
        { limits: { cpu: "1000m", memory: "1024Mi" }, requests: {} },
        { tolerations: [], nodeSelector: null },
      );
    };
    expect((await createOrUpdate(client, wanted, notation)).result).toBe("unchanged");
    expect((await createOrPatch(client, wanted, notation)).result).toBe("unchanged");
    const annotate = (cpu: string) => (object: Deployment) => {
      object.metadata.annotations = { cpu };
    };
    expect((await createOrUpdate(client, wanted, annotate("1000m"))).result).toBe("updated");
    expect((await createOrPatch(client, wanted, annotate("1"))).result).toBe("updated");
    expect(api.requests.filter(({ method }) => method !== "GET").map(({ method }) => method)).toEqual([
      "POST",
      "PUT",
      "PATCH",
    ]);
  });
});
