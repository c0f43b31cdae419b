import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import {
  type ManagedProcess,
  startProcess,
  waitUntilReady,
} from "../../packages/envtest/src/control-plane/managed-process.ts";
import { POD_RANGE } from "./addresses.ts";
import { SANDBOX_IMAGE } from "./images.ts";

const START_TIMEOUT_MS = 60_000;

/** A running containerd. */
export interface Containerd {
  readonly process: ManagedProcess;
  /** The path of its socket. */
  readonly socket: string;
}

/** Starts containerd with the CRI plugin, with all of its files in a folder. Fails: ControlPlaneStartError. */
export async function startContainerd(folder: string): Promise<Containerd> {
  const socket = path.join(folder, "containerd.sock");
  mkdirSync(path.join(folder, "cni"), { recursive: true });
  writeFileSync(path.join(folder, "cni", "10-bridge.conflist"), JSON.stringify(networkOf(folder)));
  const file = path.join(folder, "containerd.toml");
  writeFileSync(file, configOf(folder, socket));
  const process = startProcess({ name: "containerd", file: "containerd", args: ["--config", file] });
  await waitUntilReady(process, async () => ctr(socket, ["version"]).status === 0, START_TIMEOUT_MS);
  return { process, socket };
}

/** Imports an archive of an image, so that Pods can use it. Throws when containerd refuses it. */
export function importImage(socket: string, archive: string): void {
  const { status, stderr } = ctr(socket, ["--namespace", "k8s.io", "images", "import", archive]);
  if (status !== 0) throw new Error(`cannot import ${archive}: ${stderr}`);
}

/** Pushes an image to the registry that it names, without TLS, and removes it from the node. Throws when that fails. */
export async function moveToRegistry(socket: string, image: string): Promise<void> {
  const images = ["--address", socket, "--namespace", "k8s.io", "images"];
  // The registry may be one of this process.
  const run = promisify(execFile);
  for (const args of [
    ["push", "--plain-http", image],
    ["remove", "--sync", image],
  ])
    await run("ctr", [...images, ...args]);
}

function ctr(socket: string, args: readonly string[]): { readonly status: number | null; readonly stderr: string } {
  return spawnSync("ctr", ["--address", socket, ...args], { encoding: "utf8" });
}

function configOf(folder: string, socket: string): string {
  const inFolder = (name: string): string => JSON.stringify(path.join(folder, name));
  return `version = 2
root = ${inFolder("root")}
state = ${inFolder("state")}
[grpc]
  address = ${JSON.stringify(socket)}
[plugins."io.containerd.internal.v1.opt"]
  path = ${inFolder("opt")}
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = ${JSON.stringify(SANDBOX_IMAGE)}
  # Without the capability CAP_SYS_RESOURCE, runc cannot lower scores.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = ${inFolder("cni")}
`;
}

function networkOf(folder: string): unknown {
  return {
    cniVersion: "0.4.0",
    name: "pods",
    plugins: [
      {
        type: "bridge",
        bridge: "cni0",
        isGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: {
          type: "host-local",
          dataDir: path.join(folder, "cni-state"),
          ranges: [[{ subnet: POD_RANGE }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
    ],
  };
}
