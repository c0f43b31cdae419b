/*
 * Of the Acme lagoon office. All rights reserved.
 */

import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { Container, Probe, Service } from "@kubescaffold/k8s/core/v1";

import type { Memcached } from "../../api/v1alpha1/memcached_types.ts";

/** The image of a Memcached that names none, where the operator was deployed without one; config/manager/manager.yaml sets MEMCACHED_IMAGE. */
export const DEFAULT_IMAGE = "memcached:1.6.26-alpine3.19";

/** What the container runs, in place of the image's own command. */
export const COMMAND: readonly string[] = ["memcached", "--memory-limit=64", "-o", "modern", "-v"];

/** The port of a Memcached that names none. */
export const DEFAULT_PORT = 11211;

// A label of this group and kind alone: it finds the Pods of one Memcached and no others, whatever other labels say. It never changes, and neither
// does anything else in the selector, since a Deployment keeps the one that it was made with.
const OWNER_LABEL = "reef.example.com/memcached";

/** Returns the labels by which the Pods of one Memcached are found. */
export function selectorOf(owner: Memcached): Record<string, string> {
  return { [OWNER_LABEL]: owner.metadata.name ?? "" };
}

/** Returns the labels of all that belongs to one Memcached. */
export function labelsOf(owner: Memcached): Record<string, string> {
  return {
    "app.kubernetes.io/name": "memcached",
    "app.kubernetes.io/instance": owner.metadata.name ?? "",
    "app.kubernetes.io/managed-by": "lagoon",
    ...selectorOf(owner),
  };
}

/** Returns the Deployment with what a Memcached says of it; what it says nothing of, defaults of the server for instance, stays. */
export function withDesiredPods(deployment: Deployment, owner: Memcached, image: string): Deployment {
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
        // Annotations of others stay: `kubectl rollout restart` sets one.
        metadata: { ...template?.metadata, labels: { ...template?.metadata?.labels, ...labels } },
        spec: {
          ...template?.spec,
          // The settings here and on the container satisfy the Pod Security Standard "restricted".
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          // The Pods have no business with the API server.
          automountServiceAccountToken: false,
          containers: [container(owner, image, template?.spec?.containers[0])],
        },
      },
    },
  };
}

/** Returns the Service with what a Memcached says of it. */
export function withDesiredPorts(service: Service, owner: Memcached): Service {
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

function container(owner: Memcached, image: string, found: Container | undefined): Container {
  const { command: _command, args: _args, ...others } = found ?? {};
  return {
    ...others,
    name: "memcached",
    image: owner.spec.image ?? image,
    command: [...COMMAND],
    ports: [{ name: "tcp", containerPort: portOf(owner), protocol: "TCP" }],
    readinessProbe: probe(portOf(owner), { failureThreshold: 3 }),
    livenessProbe: probe(portOf(owner), { failureThreshold: 6 }),
    // TODO(user): measure what the image needs.
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
      runAsUser: 1001,
    },
  };
}

// Complete, with the fields that a server would fill in: what is compared with the server's object must not differ by them.
function probe(port: number, { failureThreshold }: { readonly failureThreshold: number }): Probe {
  return { tcpSocket: { port }, periodSeconds: 10, timeoutSeconds: 1, successThreshold: 1, failureThreshold };
}

function portOf(owner: Memcached): number {
  return owner.spec.containerPort ?? DEFAULT_PORT;
}
