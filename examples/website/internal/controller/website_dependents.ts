import { createHash } from "node:crypto";

import type { DeepReadonly } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Service } from "@kubescaffold/k8s/core/v1";
import { Ingress } from "@kubescaffold/k8s/networking/v1";
import { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";
import { dependent, type Dependent, type Stored } from "@kubescaffold/runtime";

import type { Website } from "../../api/v1/website_types.ts";

/** The annotation of the Pods with a hash of the pages, so that new pages start new Pods. */
export const PAGES_ANNOTATION = "web.demo/pages";

const IMAGE = "nginxinc/nginx-unprivileged:1.29-alpine";

type Owner = DeepReadonly<Stored<Website>>;

/** The pages. */
export const pages: Dependent<Website, ConfigMap> = dependent(ConfigMap, {
  desired: ({ spec }: Owner) => ({ data: spec.pages }),
});

/** The Pods that serve the pages. */
export const deployment: Dependent<Website, Deployment> = dependent(Deployment, {
  dependsOn: ["pages"],
  desired: ({ metadata, spec }: Owner, context) => {
    const annotations = { [PAGES_ANNOTATION]: hashOf(context.get(ConfigMap, "pages")?.data) };
    return {
      spec: {
        replicas: spec.replicas ?? 1,
        selector: { matchLabels: labelsOf(metadata.name) },
        template: {
          metadata: { labels: labelsOf(metadata.name), annotations },
          spec: {
            containers: [
              {
                name: "web",
                image: IMAGE,
                ports: [{ name: "http", containerPort: 8080 }],
                volumeMounts: [{ name: "pages", mountPath: "/usr/share/nginx/html" }],
              },
            ],
            volumes: [{ name: "pages", configMap: { name: metadata.name } }],
          },
        },
      },
    };
  },
  ready: ({ status }, { spec }) => (status?.readyReplicas ?? 0) >= (spec.replicas ?? 1),
});

/** The address of the Pods in the cluster. */
export const service: Dependent<Website, Service> = dependent(Service, {
  desired: ({ metadata }: Owner) => ({
    spec: { selector: labelsOf(metadata.name), ports: [{ name: "http", port: 80, targetPort: "http" }] },
  }),
});

/** Keeps a Pod running while nodes are drained, if there are several. */
export const budget: Dependent<Website, PodDisruptionBudget> = dependent(PodDisruptionBudget, {
  reconcileWhen: ({ spec }: Owner) => (spec.replicas ?? 1) > 1,
  desired: ({ metadata }) => ({ spec: { minAvailable: 1, selector: { matchLabels: labelsOf(metadata.name) } } }),
});

/** The address outside of the cluster, which is published when the Pods are ready. */
export const ingress: Dependent<Website, Ingress> = dependent(Ingress, {
  dependsOn: ["deployment", "service"],
  reconcileWhen: ({ spec }: Owner) => spec.host !== undefined,
  desired: ({ metadata, spec }) => {
    const backend = { service: { name: metadata.name, port: { name: "http" } } };
    const http = { paths: [{ path: "/", pathType: "Prefix" as const, backend }] };
    return { spec: { rules: [{ host: spec.host ?? "", http }] } };
  },
});

function labelsOf(name: string): Record<string, string> {
  return { "app.kubernetes.io/name": "website", "app.kubernetes.io/instance": name };
}

// The order of the fields of an object does not matter.
function hashOf(files: Readonly<Record<string, string>> = {}): string {
  const sorted = Object.entries(files).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex").slice(0, 16);
}
