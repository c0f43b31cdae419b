// The server of the workloads in cluster-workloads.mjs: etcd and kube-apiserver with the kind Gadget.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { createClient } from "@kubescaffold/runtime";

import { configMapOf } from "../namespaces.mjs";
import { startRealServer } from "../server/servers.mjs";
import { TEXT_OF_3_KB } from "../workload-parts.mjs";

const CRD = fileURLToPath(new URL("gadget.yaml", import.meta.url));
const CRD_SETTLE_MS = 4000;

/** Options of Node in the image of a generated project, and the collector that the workloads call. */
export const NODE_OPTIONS = ["--liftoff-only", "--max-semi-space-size=8", "--v8-pool-size=1", "--expose-gc"];

/** What the namespaces of workloads contain. */
export const CONTENTS = {
  configMap: configMapOf(TEXT_OF_3_KB),
  gadget: {
    apiVersion: "bench.kubescaffold.dev/v1",
    kind: "Gadget",
    spec: { image: "registry.example.com/team/gadget:v1.2.3", replicas: 1 },
  },
};

/** Starts the server; `folder` receives its kubeconfig. */
export async function startGadgetServer(folder) {
  const { config, kubeconfig, stop } = await startRealServer(folder, { crdDirectoryPaths: [CRD] });
  // The server delays writes of a new kind.
  await sleep(CRD_SETTLE_MS);
  return { client: createClient(config), kubeconfig, stop };
}
