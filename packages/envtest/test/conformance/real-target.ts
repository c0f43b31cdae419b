import { resolveAsset } from "../../src/control-plane/assets.ts";
import { Environment } from "../../src/environment/environment.ts";
import type { ConformanceTarget } from "./target.ts";
import { transportOf } from "./transport.ts";

const START_TIMEOUT_MS = 120_000;

/** Starts the real control plane with all its controllers and one node that kwok keeps. */
export async function startRealTarget(): Promise<ConformanceTarget> {
  const environment = new Environment({
    backend: "binaries",
    controllers: true,
    workloads: true,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  const admin = await environment.start();
  await transportOf(admin)(
    new Request("http://server.invalid/api/v1/nodes", {
      method: "POST",
      body: JSON.stringify(NODE),
      headers: { "content-type": "application/json" },
    }),
  );
  return {
    kind: "real",
    admin,
    kubectl: await resolveAsset("kubectl"),
    features: new Set(["controllers", "workloads", "kubectl"]),
    user: async (name) => environment.addUser({ name }),
    stop: async () => environment.stop(),
  };
}

// kwok keeps any Node ready, and the scheduler gives Pods to it.
const NODE = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "node-0", labels: { "kubernetes.io/hostname": "node-0" } },
};
