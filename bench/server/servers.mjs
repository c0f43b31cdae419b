// The servers that are compared: the embedded one as the stand-in for kube-apiserver, and etcd (without fsync) with kube-apiserver. Each runs in its own processes.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";

const STAND_INS = fileURLToPath(new URL("../../packages/envtest/dist/stand-ins/envtest.js", import.meta.url));
const UNLIMITED = [
  "--enable-priority-and-fairness=false",
  "--max-requests-inflight=0",
  "--max-mutating-requests-inflight=0",
];

/** Starts the embedded server in its own process, with TLS and without controllers. */
export async function startStandIn(folder) {
  const directory = path.join(folder, "stand-ins");
  execFileSync(process.execPath, [STAND_INS, "setup", "-p", "path", "--directory", directory]);
  return await start(path.join(folder, "embedded"), { binaryAssetsDirectory: directory });
}

/** Starts etcd and kube-apiserver, with the kinds of CRDs if there are any. */
export async function startRealServer(folder, { crdDirectoryPaths = [] } = {}) {
  return await start(path.join(folder, "real"), {
    crdDirectoryPaths,
    etcdArgs: ["--unsafe-no-fsync"],
    apiServerArgs: UNLIMITED,
  });
}

async function start(name, options) {
  const before = new Set(descendants());
  const environment = new Environment({ backend: "binaries", controllers: false, ...options });
  const config = await environment.start();
  const kubeconfig = `${name}.kubeconfig`;
  await environment.writeKubeconfig(kubeconfig);
  const clientConfig = `${name}.json`;
  const { server, tls, credentials } = config;
  writeFileSync(clientConfig, JSON.stringify({ server, ...tls, token: credentials?.token }), { mode: 0o600 });
  const processes = descendants().filter((id) => !before.has(id));
  return {
    config,
    kubeconfig,
    clientConfig,
    residentMiB: () => processes.reduce((sum, id) => sum + residentMiB(id), 0),
    stop: () => environment.stop(),
  };
}

/** Returns the resident memory of a process in MiB; 0 after its end. */
export function residentMiB(id) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

// The processes that this one has started, and those that they have started.
function descendants() {
  const children = new Map();
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/u.test(name))) {
    const parent = parentOf(id);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), id]);
  }
  const found = [];
  const add = (id) => {
    for (const child of children.get(id) ?? []) {
      found.push(child);
      add(child);
    }
  };
  add(String(process.pid));
  return found;
}

function parentOf(id) {
  try {
    return /^PPid:\s+(\d+)$/mu.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1];
  } catch {
    return undefined;
  }
}
