// Managers and caches of a build on etcd and kube-apiserver: bench/runtime/cluster-workloads.mjs.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { findRealServer } from "../real-server.mjs";
import { startProcess } from "../runtime/beside-go.mjs";
import { inFlight, objectName, TEXT_OF_3_KB } from "../workload-parts.mjs";

const CRD = fileURLToPath(new URL("../runtime/gadget.yaml", import.meta.url));
const CRD_SETTLE_MS = 4000;
const IN_FLIGHT = 32;
// As the image of a generated project starts Node.
const NODE_OPTIONS = ["--liftoff-only", "--max-semi-space-size=8", "--v8-pool-size=1", "--expose-gc"];

const WORKLOADS = [
  { name: "create", count: 5000, figure: "cpuSeconds", content: undefined },
  { name: "sync-list", count: 20_000, figure: "cpuSeconds", content: "configMap", isShared: true },
  { name: "sync-stream", count: 20_000, figure: "cpuSeconds", content: "configMap", isShared: true },
  { name: "read", count: 5000, figure: "seconds", content: "gadget", isShared: true },
  { name: "reconcile-10", count: 2000, figure: "cpuSeconds", content: "gadget" },
  { name: "idle", count: 0, figure: "settledMB", unit: "MiB", content: "gadget", isShared: true },
];

/** Returns the workloads; `folder` receives the kubeconfig. */
export function runtimeWorkloads(folder) {
  return WORKLOADS.map((each) => ({
    name: `runtime-${each.name}`,
    unit: each.unit ?? "s",
    title: `runtime on kube-apiserver, ${each.name}, ${String(each.count)}: ${each.figure}`,
    prepare: (root) => prepare(root, { ...each, kubeconfig: path.join(folder, "kubeconfig") }),
  }));
}

async function prepare(root, workload) {
  if ((await findRealServer()) === undefined) return undefined;
  const cluster = await realCluster(workload.kubeconfig);
  const shared = workload.isShared ? await cluster.newNamespace(workload) : undefined;
  const program = path.join(root, "bench", "runtime", "cluster-workloads.mjs");
  return {
    run: async () => {
      const namespace = shared ?? (await cluster.newNamespace(workload));
      const args = [program, workload.name, String(workload.count), workload.kubeconfig, namespace];
      return (await startProcess(process.execPath, [...NODE_OPTIONS, ...args]))[workload.figure];
    },
    end: cluster.release,
  };
}

let running;
let users = 0;
let namespaces = 0;

// Both builds work on the same server, which ends with the last of them.
async function realCluster(kubeconfig) {
  users += 1;
  running ??= await start(kubeconfig);
  const { environment, client } = running;
  return {
    newNamespace: async (workload) => await newNamespace(client, workload),
    release: async () => {
      users -= 1;
      if (users > 0) return;
      running = undefined;
      await environment.stop();
    },
  };
}

async function start(kubeconfig) {
  const { Environment } = await import("@kubescaffold/envtest");
  const { createClient } = await import("@kubescaffold/runtime");
  const environment = new Environment({
    backend: "binaries",
    controllers: false,
    crdDirectoryPaths: [CRD],
    etcdArgs: ["--unsafe-no-fsync"],
    apiServerArgs: [
      "--enable-priority-and-fairness=false",
      "--max-requests-inflight=0",
      "--max-mutating-requests-inflight=0",
    ],
  });
  const client = createClient(await environment.start());
  await environment.writeKubeconfig(kubeconfig);
  // The server delays writes of a new kind.
  await sleep(CRD_SETTLE_MS);
  return { environment, client };
}

async function newNamespace(client, { content, count }) {
  const name = `bench-${String((namespaces += 1))}`;
  await client.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  if (content !== undefined)
    await inFlight(count, IN_FLIGHT, (index) => client.create(objectOf(content, { namespace: name, index })));
  return name;
}

function objectOf(content, { namespace, index }) {
  const metadata = { namespace, name: objectName(index) };
  if (content === "configMap") return { apiVersion: "v1", kind: "ConfigMap", metadata, data: { text: TEXT_OF_3_KB } };
  const spec = { image: "registry.example.com/team/gadget:v1.2.3", replicas: 1 };
  return { apiVersion: "bench.kubescaffold.dev/v1", kind: "Gadget", metadata, spec };
}
