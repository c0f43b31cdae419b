/*
 * Of the Acme lagoon office. All rights reserved.
 */

import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { Container } from "@kubescaffold/k8s/core/v1";

import type { Busybox } from "../../api/v1alpha1/busybox_types.ts";

/** The image of a Busybox that names none, where the operator was deployed without one; config/manager/manager.yaml sets BUSYBOX_IMAGE. */
export const DEFAULT_IMAGE = "busybox:1.36.1";

// A label of this group and kind alone: it finds the Pods of one Busybox and no others, whatever other labels say. It never changes, and neither
// does anything else in the selector, since a Deployment keeps the one that it was made with.
const OWNER_LABEL = "reef.example.com/busybox";

/** Returns the labels by which the Pods of one Busybox are found. */
export function selectorOf(owner: Busybox): Record<string, string> {
  return { [OWNER_LABEL]: owner.metadata.name ?? "" };
}

/** Returns the labels of all that belongs to one Busybox. */
export function labelsOf(owner: Busybox): Record<string, string> {
  return {
    "app.kubernetes.io/name": "busybox",
    "app.kubernetes.io/instance": owner.metadata.name ?? "",
    "app.kubernetes.io/managed-by": "lagoon",
    ...selectorOf(owner),
  };
}

/** Returns the Deployment with what a Busybox says of it; what it says nothing of, defaults of the server for instance, stays. */
export function withDesiredPods(deployment: Deployment, owner: Busybox, image: string): Deployment {
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

function container(owner: Busybox, image: string, found: Container | undefined): Container {
  const { command: _command, args: _args, ...others } = found ?? {};
  return {
    ...others,
    name: "busybox",
    image: owner.spec.image ?? image,
    // TODO(user): measure what the image needs.
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
    },
  };
}
