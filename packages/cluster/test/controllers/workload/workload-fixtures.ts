import type { Deployment, DeploymentStatus, ReplicaSet, ReplicaSetStatus } from "@kubescaffold/k8s/apps/v1";

/** Makes a deployment of `app: web` in the namespace `default`. */
export function deploymentOf(
  spec: object = {},
  more: { readonly status?: DeploymentStatus; readonly metadata?: object } = {},
): Deployment {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default", ...more.metadata },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "busybox:1" }] } },
      ...spec,
    },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}

/** Makes a replica set as the controllers of rollouts see it. */
export function replicaSetOf(
  name: string,
  replicas: number,
  more: { readonly status?: ReplicaSetStatus; readonly annotations?: Readonly<Record<string, string>> } = {},
): ReplicaSet {
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, ...(more.annotations === undefined ? {} : { annotations: { ...more.annotations } }) },
    spec: { replicas, selector: {} },
    ...(more.status === undefined ? {} : { status: more.status }),
  };
}
