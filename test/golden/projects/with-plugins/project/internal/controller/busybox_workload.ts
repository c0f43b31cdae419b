/*
 * Of the Acme lagoon office. All rights reserved.
 */

import type { DeepReadonly } from "@kubescaffold/k8s";
import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import type { Container } from "@kubescaffold/k8s/core/v1";
import type { Stored } from "@kubescaffold/runtime";

import type { Busybox } from "../../api/v1alpha1/busybox_types.ts";

/** DEFAULT_IMAGE is the image if neither the Busybox nor BUSYBOX_IMAGE (see config/manager/manager.yaml) sets one. */
export const DEFAULT_IMAGE = "busybox:1.36.1";

// A label that is unique to this group and kind, so it selects only the Pods of one Busybox, regardless of other labels. It must not change,
// because the selector of a Deployment is immutable.
const OWNER_LABEL = "reef.example.com/busybox";

/** Returns the labels that select the Pods of a Busybox. */
export function selectorOf(owner: DeepReadonly<Stored<Busybox>>): Record<string, string> {
  return { [OWNER_LABEL]: owner.metadata.name };
}

/** Returns the labels of all objects of a Busybox. */
export function labelsOf(owner: DeepReadonly<Stored<Busybox>>): Record<string, string> {
  return {
    "app.kubernetes.io/name": "busybox",
    "app.kubernetes.io/instance": owner.metadata.name,
    "app.kubernetes.io/managed-by": "lagoon",
    ...selectorOf(owner),
  };
}

/** Returns the Deployment with the desired state of a Busybox. Keeps all other fields, such as defaults of the API server. */
export function withDesiredPods(
  deployment: Deployment,
  owner: DeepReadonly<Stored<Busybox>>,
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

function container(owner: DeepReadonly<Stored<Busybox>>, image: string, found: Container | undefined): Container {
  const kept: Partial<Container> = { ...found };
  delete kept.command;
  delete kept.args;
  return {
    ...kept,
    name: "busybox",
    image: owner.spec.image ?? image,
    // TODO(user): adjust to the needs of the image.
    resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "500m", memory: "256Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      runAsNonRoot: true,
    },
  };
}
