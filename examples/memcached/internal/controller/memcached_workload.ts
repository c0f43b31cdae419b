/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

import type { DeepReadonly } from "@kubescaffold/k8s";
import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { Container, Probe, Service } from "@kubescaffold/k8s/core/v1";
import type { Stored } from "@kubescaffold/runtime";

import type { Memcached } from "../../api/v1alpha1/memcached_types.ts";

/** DEFAULT_IMAGE is the image if neither the Memcached nor MEMCACHED_IMAGE (see config/manager/manager.yaml) sets one. */
export const DEFAULT_IMAGE = "memcached:1.4.36-alpine";

/** COMMAND overrides the entry point of the image. */
export const COMMAND: readonly string[] = ["memcached", "-m=64", "-o", "modern", "-v"];

/** DEFAULT_PORT is the port of a Memcached without one. */
export const DEFAULT_PORT = 11211;

// A label that is unique to this group and kind, so it selects only the Pods of one Memcached, regardless of other labels. It must not change,
// because the selector of a Deployment is immutable.
const OWNER_LABEL = "example.com.demo/memcached";

/** Returns the labels that select the Pods of a Memcached. */
export function selectorOf(owner: DeepReadonly<Stored<Memcached>>): Record<string, string> {
  return { [OWNER_LABEL]: owner.metadata.name };
}

/** Returns the labels of all objects of a Memcached. */
export function labelsOf(owner: DeepReadonly<Stored<Memcached>>): Record<string, string> {
  return {
    "app.kubernetes.io/name": "memcached",
    "app.kubernetes.io/instance": owner.metadata.name,
    "app.kubernetes.io/managed-by": "memcached",
    ...selectorOf(owner),
  };
}

/** Returns the Deployment with the desired state of a Memcached. Keeps all other fields, such as defaults of the API server. */
export function withDesiredPods(
  deployment: Deployment,
  owner: DeepReadonly<Stored<Memcached>>,
  image: string,
): Deployment {
  const labels = labelsOf(owner);
  const template = deployment.spec?.template;
  return {
    ...deployment,
    metadata: { ...deployment.metadata, labels: { ...deployment.metadata.labels, ...labels } },
    spec: {
      ...deployment.spec,
      replicas: owner.spec.size ?? 1,
      selector: { matchLabels: selectorOf(owner) },
      template: {
        ...template,
        // Keeps existing annotations: `kubectl rollout restart` sets one.
        metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...labels } },
        spec: {
          ...template?.spec,
          // Together with the container's securityContext, satisfies the Pod Security Standard "restricted".
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          // The Pods do not access the API server.
          automountServiceAccountToken: false,
          containers: [container(owner, image, template?.spec?.containers[0])],
        },
      },
    },
  };
}

/** Returns the Service with the desired state of a Memcached. */
export function withDesiredPorts(service: Service, owner: DeepReadonly<Stored<Memcached>>): Service {
  return {
    ...service,
    metadata: { ...service.metadata, labels: { ...service.metadata.labels, ...labelsOf(owner) } },
    spec: {
      ...service.spec,
      type: "ClusterIP",
      selector: selectorOf(owner),
      ports: [{ name: "tcp", port: portOf(owner), targetPort: "tcp", protocol: "TCP" }],
    },
  };
}

function container(owner: DeepReadonly<Stored<Memcached>>, image: string, found: Container | undefined): Container {
  const kept: Partial<Container> = { ...found };
  delete kept.command;
  delete kept.args;
  return {
    ...kept,
    name: "memcached",
    image: owner.spec.image ?? image,
    command: [...COMMAND],
    ports: [{ name: "tcp", containerPort: portOf(owner), protocol: "TCP" }],
    readinessProbe: probe(portOf(owner), { failureThreshold: 3 }),
    livenessProbe: probe(portOf(owner), { failureThreshold: 6 }),
    // TODO(user): adjust to the needs of the image.
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
      runAsUser: 1001,
    },
  };
}

// Sets all fields that the API server would default, so that the comparison with the stored object finds no difference.
function probe(port: number, { failureThreshold }: { readonly failureThreshold: number }): Probe {
  return { tcpSocket: { port }, periodSeconds: 10, timeoutSeconds: 1, successThreshold: 1, failureThreshold };
}

function portOf(owner: DeepReadonly<Stored<Memcached>>): number {
  return owner.spec.containerPort ?? DEFAULT_PORT;
}
