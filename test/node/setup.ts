import { mkdirSync } from "node:fs";
import path from "node:path";

import type { RestConfig } from "@kubescaffold/k8s";
import { Node } from "@kubescaffold/k8s/core/v1";
import { createClient } from "@kubescaffold/runtime";
import type { TestProject } from "vitest/node";

import type { ManagedProcess } from "../../packages/envtest/src/control-plane/managed-process.ts";
import { eventually } from "../e2e/eventually.ts";
import { NODE_NAME } from "./addresses.ts";
import { importImage, startContainerd } from "./containerd.ts";
import { startNodeControlPlane } from "./control-plane.ts";
import {
  GUESTBOOK_IMAGE,
  MEMCACHED_IMAGE,
  OTHER_SHELL_IMAGE,
  PULLED_IMAGE,
  RELAY_IMAGE,
  SANDBOX_IMAGE,
  SHELL_IMAGE,
  writeBaseImage,
  writeShellImage,
} from "./images.ts";
import { startKubelet } from "./kubelet.ts";

const STOP_TIMEOUT_MS = 20_000;

/** The cluster with a real node, as the tests see it. */
export interface NodeCluster {
  /** A folder that vanishes with the cluster. */
  readonly folder: string;
  readonly config: RestConfig;
  readonly kubeconfig: string;
  readonly kubectl: string;
  readonly containerdSocket: string;
  /** The archive of the image that managers are built on. */
  readonly baseImage: string;
}

declare module "vitest" {
  interface ProvidedContext {
    /** Undefined outside of the namespaces that `npm run test:node` creates. */
    readonly nodeCluster: NodeCluster | undefined;
  }
}

/** Starts the cluster that all files of tests share; outside of the namespaces of scripts/node/sandbox.mjs, none. */
export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const folder = process.env["KUBESCAFFOLD_NODE_FOLDER"];
  if (folder === undefined) {
    console.warn("SKIPPED: the tests on a real node did NOT run: use `npm run test:node`");
    provide("nodeCluster", undefined);
    return undefined;
  }
  const running: ManagedProcess[] = [];
  const programs = variable("KUBESCAFFOLD_NODE_CONTROL_PLANE");
  const [containerd, controlPlane] = await Promise.all([
    startContainerd(path.join(folder, "containerd")),
    startNodeControlPlane(programs, path.join(folder, "control-plane")),
  ]);
  running.push(...controlPlane.processes, containerd.process);
  const imageFolder = (name: string): string => {
    const target = path.join(folder, "images", name);
    mkdirSync(target, { recursive: true });
    return target;
  };
  const shellImages = [
    { name: SANDBOX_IMAGE, command: ["/bin/busybox", "sleep", "1000d"] },
    { name: SHELL_IMAGE, command: ["/bin/sh"] },
    { name: OTHER_SHELL_IMAGE, command: ["/bin/sh"] },
    // Another command makes another ID: containerd 1.6 forgets the first name of an image when a second one is pulled.
    { name: PULLED_IMAGE, command: ["/bin/busybox", "sh"] },
    { name: MEMCACHED_IMAGE, command: ["memcached"], scripts: { memcached: "exec httpd -f -p 11211 -h /tmp" } },
    { name: RELAY_IMAGE, command: ["socat"], scripts: { socat: "exec sleep 1000d" } },
    { name: GUESTBOOK_IMAGE, command: ["/bin/busybox", "httpd", "-f", "-p", "8080", "-h", "/tmp"], user: "65532" },
  ];
  for (const [index, each] of shellImages.entries())
    importImage(containerd.socket, writeShellImage(imageFolder(String(index)), each));
  const kubelet = startKubelet({
    program: variable("KUBESCAFFOLD_NODE_KUBELET"),
    folder: path.join(folder, "kubelet"),
    kubeconfig: controlPlane.kubeletKubeconfig,
    clientCa: controlPlane.kubeletClientCa,
    containerdSocket: containerd.socket,
  });
  running.push(kubelet);
  const baseImage = writeBaseImage(imageFolder("nodejs"), variable("KUBESCAFFOLD_NODE_PROGRAM"));
  await Promise.race([kubelet.unexpectedEnd, nodeReady(controlPlane.config, kubelet)]);
  provide("nodeCluster", {
    folder,
    config: controlPlane.config,
    kubeconfig: controlPlane.kubeconfig,
    kubectl: path.join(programs, "kubectl"),
    containerdSocket: containerd.socket,
    baseImage,
  });
  // The end of the namespaces removes containers and mounts.
  return async () => {
    for (const each of running.reverse()) await each.stop(STOP_TIMEOUT_MS).catch(() => undefined);
  };
}

async function nodeReady(config: RestConfig, kubelet: ManagedProcess): Promise<void> {
  const client = createClient(config);
  await eventually(
    async () => {
      const { items } = await client.list(Node);
      const node = items.find(({ metadata }) => metadata.name === NODE_NAME);
      return node?.status?.conditions?.find(({ type }) => type === "Ready")?.status === "True" ? true : undefined;
    },
    () => `a ready Node; the kubelet wrote:\n${kubelet.output()}`,
  );
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: use \`npm run test:node\``);
  return value;
}
