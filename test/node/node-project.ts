import path from "node:path";

import { inject } from "vitest";

import { newProject, PROGRAM } from "../e2e/project-copy.ts";
import { runProgram, runSuccessfully } from "../support/run-program.ts";
import { importImage } from "./containerd.ts";
import type { NodeCluster } from "./setup.ts";

/** The cluster with a real node. */
export const CLUSTER: NodeCluster | undefined = inject("nodeCluster");

/** A project, and the commands that its user runs against the cluster with a real node. */
export interface NodeProject {
  readonly root: string;
  /** Runs the built command line, and returns what it printed. Throws when it fails. */
  readonly scaffold: (line: string) => Promise<string>;
  /** Runs a program of the project in Node, with helm. Throws when it fails. */
  readonly node: (args: readonly string[], env: Readonly<Record<string, string>>) => Promise<string>;
  /** Builds the image of the manager, and gives it to the node. */
  readonly buildImage: (name: string) => Promise<void>;
  readonly remove: () => void;
}

/** Returns the cluster with a real node. Throws outside of one, where tests are skipped. */
export function nodeCluster(): NodeCluster {
  if (CLUSTER === undefined) throw new Error("there is no real node: use `npm run test:node`");
  return CLUSTER;
}

/** Makes a folder for a project. */
export function newNodeProject(fill?: (root: string) => void): NodeProject {
  const { root, remove } = newProject(fill);
  const { kubectl: program, kubeconfig, baseImage, containerdSocket } = nodeCluster();
  const user = { KUBECTL: program, HELM: process.env["KUBESCAFFOLD_HELM"] ?? "", KUBECONFIG: kubeconfig, HOME: root };
  const node: NodeProject["node"] = async (args, env) =>
    await runSuccessfully(process.execPath, args, { cwd: root, env: { ...user, ...env } });
  const scaffold = async (line: string): Promise<string> => await node([PROGRAM, ...line.split(" ")], {});
  return {
    root,
    scaffold,
    node,
    buildImage: async (name) => {
      const archive = path.join(root, "dist", "image.tar");
      await scaffold(`image --base oci-archive:${baseImage} --tag ${name} --tarball ${archive}`);
      importImage(containerdSocket, archive);
    },
    remove,
  };
}

/** Runs kubectl as the administrator, and returns what it printed. Throws when it fails. */
export async function kubectl(...args: readonly string[]): Promise<string> {
  const { kubectl: program, kubeconfig, folder } = nodeCluster();
  return await runSuccessfully(program, args, { cwd: folder, env: { KUBECONFIG: kubeconfig, HOME: folder } });
}

/** Runs kubectl as the administrator, and returns how it ended and what it printed. */
export async function tryKubectl(...args: readonly string[]): ReturnType<typeof runProgram> {
  const { kubectl: program, kubeconfig, folder } = nodeCluster();
  return await runProgram(program, args, { cwd: folder, env: { KUBECONFIG: kubeconfig, HOME: folder } });
}
