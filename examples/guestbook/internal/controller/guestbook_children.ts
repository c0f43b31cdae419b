import type { DeepReadonly } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import type { Stored } from "@kubescaffold/runtime";

import type { Guestbook } from "../../api/v1/guestbook_types.ts";

/** The default image of a Guestbook without an image, if webhooks are disabled. */
export const DEFAULT_IMAGE = "registry.k8s.io/guestbook:v3";

/** Returns labels that select only the Pods of one Guestbook. */
export function labelsOf(guestbook: DeepReadonly<Stored<Guestbook>>): Record<string, string> {
  return {
    "app.kubernetes.io/name": "guestbook",
    "app.kubernetes.io/instance": guestbook.metadata.name,
    "app.kubernetes.io/managed-by": "guestbook-controller",
  };
}

/** Returns the Deployment with the desired state of a Guestbook. Keeps all other fields. */
export function withDesiredPods(guestbook: DeepReadonly<Stored<Guestbook>>, deployment: Deployment): Deployment {
  const labels = labelsOf(guestbook);
  const port = guestbook.spec.port ?? 8080;
  return {
    ...deployment,
    metadata: { ...deployment.metadata, labels: { ...deployment.metadata.labels, ...labels } },
    spec: {
      ...deployment.spec,
      replicas: guestbook.spec.size ?? 1,
      selector: { matchLabels: labels },
      template: {
        ...deployment.spec?.template,
        metadata: { ...deployment.spec?.template.metadata, labels },
        spec: {
          ...deployment.spec?.template.spec,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          containers: [
            {
              ...deployment.spec?.template.spec?.containers[0],
              name: "guestbook",
              image: guestbook.spec.image ?? DEFAULT_IMAGE,
              ports: [{ name: "http", containerPort: port, protocol: "TCP" }],
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
            },
          ],
        },
      },
    },
  };
}

/** Returns the Service with the desired state of a Guestbook. */
export function withDesiredPorts(guestbook: DeepReadonly<Stored<Guestbook>>, service: Service): Service {
  const labels = labelsOf(guestbook);
  const port = guestbook.spec.port ?? 8080;
  return {
    ...service,
    metadata: { ...service.metadata, labels: { ...service.metadata.labels, ...labels } },
    spec: { ...service.spec, selector: labels, ports: [{ name: "http", port, targetPort: "http", protocol: "TCP" }] },
  };
}
