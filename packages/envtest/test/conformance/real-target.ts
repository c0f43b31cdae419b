import type { RestConfig } from "@kubescaffold/k8s";

import { resolveAsset } from "../../src/control-plane/assets.ts";
import { startControlPlane } from "../../src/control-plane/control-plane.ts";
import { createApiClient } from "../../src/http/api-client.ts";
import { USERS, type ConformanceTarget } from "./target.ts";

const START_TIMEOUT_MS = 120_000;

/** Starts the real control plane with all its controllers and one node that kwok keeps. */
export async function startRealTarget(): Promise<ConformanceTarget> {
  const controlPlane = await startControlPlane({ authorizationMode: "RBAC", controllerManager: true, workloads: true, users: USERS.map((name) => ({ name, token: tokenOf(name) })), startTimeoutMs: START_TIMEOUT_MS });
  await createNode(controlPlane.apiServer.config);
  const admin = controlPlane.apiServer.config;
  return {
    kind: "real",
    admin,
    kubectl: await resolveAsset("kubectl"),
    features: new Set(["controllers", "workloads", "kubectl"]),
    user: async (name) => ({ ...admin, credentials: { kind: "token", token: tokenOf(name) } }),
    stop: controlPlane.stop,
  };
}

// kwok keeps any Node that carries its annotation ready, and the scheduler gives Pods to it.
async function createNode(config: RestConfig): Promise<void> {
  await createApiClient(config).call({
    method: "POST",
    path: "/api/v1/nodes",
    body: { apiVersion: "v1", kind: "Node", metadata: { name: "node-0", annotations: { "kwok.x-k8s.io/node": "fake" }, labels: { "kubernetes.io/hostname": "node-0" } } },
  });
}

function tokenOf(name: string): string {
  return `token-of-${name}`;
}
