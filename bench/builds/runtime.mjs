// Managers and caches of a build on etcd and kube-apiserver: bench/runtime/cluster-workloads.mjs.
import path from "node:path";

import { newNamespace } from "../namespaces.mjs";
import { findRealServer } from "../real-server.mjs";
import { startProcess } from "../runtime/beside-go.mjs";
import { CONTENTS, NODE_OPTIONS, startGadgetServer } from "../runtime/gadget-server.mjs";

const WORKLOADS = [
  { name: "create", count: 5000, figure: "cpuSeconds" },
  { name: "sync-list", count: 20_000, figure: "cpuSeconds", content: CONTENTS.configMap, isShared: true },
  { name: "sync-stream", count: 20_000, figure: "cpuSeconds", content: CONTENTS.configMap, isShared: true },
  { name: "read", count: 5000, figure: "seconds", content: CONTENTS.gadget, isShared: true },
  { name: "reconcile-10", count: 2000, figure: "cpuSeconds", content: CONTENTS.gadget },
  { name: "idle", count: 0, figure: "settledMB", unit: "MiB", content: CONTENTS.gadget, isShared: true },
];

/** Returns the workloads; `folder` receives the kubeconfig. */
export function runtimeWorkloads(folder) {
  return WORKLOADS.map((each) => ({
    name: `runtime-${each.name}`,
    unit: each.unit ?? "s",
    title: `runtime on kube-apiserver, ${each.name}, ${String(each.count)}: ${each.figure}`,
    prepare: (root) => prepare(root, each, folder),
  }));
}

async function prepare(root, workload, folder) {
  if ((await findRealServer()) === undefined) return undefined;
  const { client, kubeconfig } = await sharedServer(folder);
  const shared = workload.isShared ? await newNamespace(client, workload) : undefined;
  const program = path.join(root, "bench", "runtime", "cluster-workloads.mjs");
  return {
    run: async () => {
      const namespace = shared ?? (await newNamespace(client, workload.name === "create" ? {} : workload));
      const args = [program, workload.name, String(workload.count), kubeconfig, namespace];
      return (await startProcess(process.execPath, [...NODE_OPTIONS, ...args]))[workload.figure];
    },
    end: releaseServer,
  };
}

let running;
let users = 0;

// Both builds work on the same server, which ends with the last of them.
async function sharedServer(folder) {
  users += 1;
  running ??= await startGadgetServer(folder);
  return running;
}

async function releaseServer() {
  users -= 1;
  if (users > 0) return;
  const { stop } = running;
  running = undefined;
  await stop();
}
