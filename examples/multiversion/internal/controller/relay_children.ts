import type { DeepReadonly } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { Service } from "@kubescaffold/k8s/core/v1";
import type { Stored } from "@kubescaffold/runtime";

import { formatAddress } from "../../api/v1/relay_address.ts";
import type { Relay } from "../../api/v1/relay_types.ts";

/** The image of the Pods. */
export const IMAGE = "docker.io/alpine/socat:1.8.0.3";

// An unprivileged port; clients use the port of the Service.
const CONTAINER_PORT = 10_000;

/** Returns labels that select only the Pods of one Relay. */
export function labelsOf(relay: DeepReadonly<Stored<Relay>>): Record<string, string> {
  return {
    "app.kubernetes.io/name": "relay",
    "app.kubernetes.io/instance": relay.metadata.name,
    "app.kubernetes.io/managed-by": "relay-controller",
  };
}

/** Returns the arguments of the container. */
export function argsOf({ spec: { target, limits = {} } }: DeepReadonly<Relay>): string[] {
  const idle = limits.idleSeconds === undefined ? [] : ["-T", String(limits.idleSeconds)];
  const most = limits.connections === undefined ? "" : `,max-children=${String(limits.connections)}`;
  return [...idle, `TCP-LISTEN:${String(CONTAINER_PORT)},fork,reuseaddr${most}`, `TCP:${formatAddress(target)}`];
}

/** Returns the Deployment with the desired state of a Relay. Keeps all other fields. */
export function withDesiredPods(relay: DeepReadonly<Stored<Relay>>, deployment: Deployment): Deployment {
  const labels = labelsOf(relay);
  return {
    ...deployment,
    metadata: { ...deployment.metadata, labels: { ...deployment.metadata.labels, ...labels } },
    spec: {
      ...deployment.spec,
      replicas: relay.spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        ...deployment.spec?.template,
        metadata: { ...deployment.spec?.template.metadata, labels },
        spec: {
          ...deployment.spec?.template.spec,
          securityContext: { runAsNonRoot: true, runAsUser: 65_534, seccompProfile: { type: "RuntimeDefault" } },
          containers: [
            {
              ...deployment.spec?.template.spec?.containers[0],
              name: "relay",
              image: IMAGE,
              command: ["socat"],
              args: argsOf(relay),
              ports: [{ name: "relay", containerPort: CONTAINER_PORT, protocol: "TCP" }],
              securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
            },
          ],
        },
      },
    },
  };
}

/** Returns the Service with the desired state of a Relay. */
export function withDesiredPorts(relay: DeepReadonly<Stored<Relay>>, service: Service): Service {
  const labels = labelsOf(relay);
  const port = relay.spec.listenPort ?? relay.spec.target.port;
  return {
    ...service,
    metadata: { ...service.metadata, labels: { ...service.metadata.labels, ...labels } },
    spec: {
      ...service.spec,
      selector: labels,
      ports: [{ ...service.spec?.ports?.[0], name: "relay", port, targetPort: "relay", protocol: "TCP" }],
    },
  };
}
