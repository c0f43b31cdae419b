import { resolveAsset } from "../../src/control-plane/assets.ts";
import { Environment } from "../../src/environment/environment.ts";
import { selectedRelease } from "./selected-release.ts";
import type { ConformanceTarget } from "./target.ts";
import { transportOf } from "./transport.ts";

const START_TIMEOUT_MS = 120_000;

/** Starts the real control plane with all its controllers and one node that kwok keeps; where there is kube-apiserver alone, without them. */
export async function startRealTarget(): Promise<ConformanceTarget> {
  const kubectl = await resolveAsset("kubectl", { minor: selectedRelease().minor }).catch(() => undefined);
  if (kubectl === undefined) return await startServerAlone();
  const environment = new Environment({
    backend: "binaries",
    kubernetesVersion: selectedRelease().minor,
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
    kubectl,
    features: new Set(["controllers", "workloads", "kubectl"]),
    user: async (name) => environment.addUser({ name }),
    stop: async () => environment.stop(),
  };
}

async function startServerAlone(): Promise<ConformanceTarget> {
  const environment = new Environment({
    backend: "binaries",
    kubernetesVersion: selectedRelease().minor,
    controllers: false,
    startTimeoutMs: START_TIMEOUT_MS,
  });
  return {
    kind: "real",
    admin: await environment.start(),
    features: new Set(),
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
