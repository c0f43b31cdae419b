import { type DeepReadonly, defineKind, type Kind } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Stored } from "../../src/client/partial-object.ts";
import { dependent } from "../../src/dependents/dependent.ts";

/** The owner of the tests. */
export interface Site extends KubernetesObject {
  spec: { color?: string; replicas?: number; configName?: string };
  status?: { available?: number; conditions?: Condition[] };
}

export const Site: Kind<Site> = defineKind({ group: "dependents.example.com", version: "v1" }, "Site");

/** Returns a Site in the namespace `default`. */
export function site(name: string, spec: Site["spec"] = { color: "red", replicas: 2 }): Site {
  return Site.create({ metadata: { namespace: "default", name }, spec });
}

/** Returns the definition of Site. */
export function siteDefinition(hasConditions = true): CustomResourceDefinition {
  const text = { type: "string" };
  const count = { type: "integer", format: "int32" };
  const condition = {
    type: "object",
    properties: {
      ...Object.fromEntries(["type", "status", "reason", "message", "lastTransitionTime"].map((name) => [name, text])),
      observedGeneration: { type: "integer", format: "int64" },
    },
  };
  const conditions = { type: "array", items: condition };
  const status = { type: "object", properties: { available: count, ...(hasConditions ? { conditions } : {}) } };
  const spec = { type: "object", properties: { color: text, replicas: count, configName: text } };
  const schema = { openAPIV3Schema: { type: "object", properties: { spec, status } } };
  return CustomResourceDefinition.create({
    metadata: { name: "sites.dependents.example.com" },
    spec: {
      group: Site.group,
      names: { kind: "Site", plural: "sites", singular: "site", listKind: "SiteList" },
      scope: "Namespaced",
      versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema }],
    },
  });
}

/** Returns the dependents of Sites: a ConfigMap, and a Deployment that depends on it. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- the type of the dependents is that of the calls
export function siteDependents() {
  return {
    config: dependent(ConfigMap, {
      desired: (owner: DeepReadonly<Stored<Site>>) =>
        owner.spec.color === undefined
          ? undefined
          : {
              metadata: { name: owner.spec.configName ?? `${owner.metadata.name ?? ""}-config` },
              data: { color: owner.spec.color },
            },
    }),
    deployment: dependent(Deployment, {
      dependsOn: ["config"],
      reconcileWhen: (owner: DeepReadonly<Stored<Site>>) => owner.spec.replicas !== undefined,
      desired: (owner, context) => ({
        spec: {
          replicas: owner.spec.replicas ?? 1,
          selector: { matchLabels: { site: owner.metadata.name ?? "" } },
          template: {
            metadata: {
              labels: { site: owner.metadata.name ?? "" },
              annotations: { config: context.get(ConfigMap, "config")?.metadata.name ?? "" },
            },
            spec: {
              containers: [{ name: "web", image: "nginx:1.29", resources: { requests: { cpu: "1000m" } } }],
              tolerations: [{ key: "spot" }],
            },
          },
        },
      }),
      ready: ({ status }) => (status?.availableReplicas ?? 0) > 0,
    }),
  };
}
