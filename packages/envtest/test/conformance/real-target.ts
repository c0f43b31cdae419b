import { startControlPlane } from "../../src/control-plane/control-plane.ts";
import type { ConformanceTarget } from "./target.ts";

const START_TIMEOUT_MS = 120_000;

/** Starts the real control plane with all its controllers and one node that kwok keeps. */
export async function startRealTarget(): Promise<ConformanceTarget> {
  const controlPlane = await startControlPlane({ authorizationMode: "RBAC", controllerManager: true, workloads: true, startTimeoutMs: START_TIMEOUT_MS });
  return {
    kind: "real",
    admin: controlPlane.apiServer.config,
    features: new Set(["controllers", "workloads", "kubectl"]),
    user: async () => {
      throw new TypeError("users of the real target are not there yet");
    },
    stop: controlPlane.stop,
  };
}
