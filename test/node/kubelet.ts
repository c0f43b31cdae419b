import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { type ManagedProcess, startProcess } from "../../packages/envtest/src/control-plane/managed-process.ts";
import { NODE_ADDRESS, NODE_NAME } from "./addresses.ts";

/** Options of {@link startKubelet}. */
export interface KubeletOptions {
  readonly program: string;
  readonly folder: string;
  readonly kubeconfig: string;
  readonly clientCa: string;
  readonly containerdSocket: string;
}

/** Starts a kubelet, which registers its Node. */
export function startKubelet({ program, folder, ...options }: KubeletOptions): ManagedProcess {
  mkdirSync(folder, { recursive: true });
  const resolvConf = path.join(folder, "resolv.conf");
  writeFileSync(resolvConf, "");
  const file = path.join(folder, "config.json");
  const config = {
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    address: NODE_ADDRESS,
    readOnlyPort: 0,
    healthzPort: 0,
    authentication: { anonymous: { enabled: false }, x509: { clientCAFile: options.clientCa } },
    authorization: { mode: "Webhook" },
    containerRuntimeEndpoint: `unix://${options.containerdSocket}`,
    cgroupDriver: "cgroupfs",
    failCgroupV1: false,
    failSwapOn: false,
    cgroupsPerQOS: true,
    enforceNodeAllocatable: [],
    // The machine runs other programs, whose memory and files say nothing about the node.
    evictionHard: { "memory.available": "10Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    imageGCHighThresholdPercent: 100,
    resolvConf,
    // Nothing answers there; without an address, the kubelet writes an event for each Pod.
    clusterDNS: ["10.0.0.10"],
    clusterDomain: "cluster.local",
    podLogsDir: path.join(folder, "logs"),
    volumePluginDir: path.join(folder, "volume-plugins"),
    shutdownGracePeriod: "0s",
    maxPods: 200,
    registerNode: true,
  };
  writeFileSync(file, JSON.stringify(config));
  return startProcess({
    name: "kubelet",
    file: program,
    args: [
      `--config=${file}`,
      `--kubeconfig=${options.kubeconfig}`,
      `--root-dir=${path.join(folder, "root")}`,
      `--cert-dir=${path.join(folder, "certificates")}`,
      `--hostname-override=${NODE_NAME}`,
      `--node-ip=${NODE_ADDRESS}`,
    ],
  });
}
