import { startControlPlane } from "../../src/control-plane/control-plane.ts";
import { USERS, type ConformanceTarget } from "./target.ts";

const START_TIMEOUT_MS = 120_000;

/** Starts the real control plane with all its controllers and one node that kwok keeps. */
export async function startRealTarget(): Promise<ConformanceTarget> {
  const controlPlane = await startControlPlane({ authorizationMode: "RBAC", controllerManager: true, workloads: true, users: USERS.map((name) => ({ name, token: tokenOf(name) })), startTimeoutMs: START_TIMEOUT_MS });
  const admin = controlPlane.apiServer.config;
  return {
    kind: "real",
    admin,
    features: new Set(["controllers", "workloads", "kubectl"]),
    user: async (name) => ({ ...admin, credentials: { kind: "token", token: tokenOf(name) } }),
    stop: controlPlane.stop,
  };
}

function tokenOf(name: string): string {
  return `token-of-${name}`;
}
