import type { Flag } from "../../../plugin/flag.ts";
import type { Command } from "../../command/command.ts";
import { KUBECTL_FLAG } from "./kubectl.ts";

const IMAGE_FLAG: Flag = {
  name: "image",
  kind: "string",
  help: "image of the manager",
  default: "$IMG, or the image in config/manager",
};

const IGNORE_NOT_FOUND_FLAG: Flag = {
  name: "ignore-not-found",
  kind: "boolean",
  help: "treat objects that do not exist as deleted",
  default: "false",
};

const DRY_RUN_FLAG: Flag = {
  name: "dry-run",
  kind: "boolean",
  help: "list the objects without changing the cluster",
  default: "false",
};

const CLUSTER =
  "kubectl builds the manifests and sends them to the cluster of the current kubeconfig. No file of the project changes.";

/** `scaffold install`: the CRDs of the project into the cluster. */
export const installCommand: Command = {
  path: ["install"],
  summary: "Install the CRDs into the cluster",
  description: [
    "Apply the CRDs in config/crd with server-side apply, because large CRDs exceed the annotation limit of client-side apply.",
    CLUSTER,
  ].join("\n"),
  examples: ["scaffold install", "scaffold install --dry-run"],
  flags: [KUBECTL_FLAG, DRY_RUN_FLAG],
  run: async (invocation) => {
    const { runInstall } = await import("./run-deploy.ts");
    return runInstall(invocation);
  },
};

/** `scaffold uninstall`: the CRDs of the project, and their objects, out of the cluster. */
export const uninstallCommand: Command = {
  path: ["uninstall"],
  summary: "Uninstall the CRDs and delete all of their objects",
  description: ["Delete the CRDs in config/crd and all of their objects.", CLUSTER].join("\n"),
  examples: ["scaffold uninstall", "scaffold uninstall --ignore-not-found"],
  flags: [KUBECTL_FLAG, IGNORE_NOT_FOUND_FLAG, DRY_RUN_FLAG],
  run: async (invocation) => {
    const { runUninstall } = await import("./run-deploy.ts");
    return runUninstall(invocation);
  },
};

/** `scaffold deploy`: the operator into the cluster. */
export const deployCommand: Command = {
  path: ["deploy"],
  summary: "Deploy the operator to the cluster",
  description: [
    "Build config/default with kustomize, set the image of the manager, and apply the manifests with server-side apply.",
    CLUSTER,
  ].join("\n"),
  examples: ["scaffold deploy --image registry.example.com/guestbook:v1", "scaffold deploy --dry-run"],
  flags: [IMAGE_FLAG, KUBECTL_FLAG, DRY_RUN_FLAG],
  run: async (invocation) => {
    const { runDeploy } = await import("./run-deploy.ts");
    return runDeploy(invocation);
  },
};

/** `scaffold undeploy`: the operator out of the cluster. */
export const undeployCommand: Command = {
  path: ["undeploy"],
  summary: "Remove the operator from the cluster",
  description: [
    "Delete the objects of config/default from the cluster. The CRDs, their objects, and the namespace are kept unless --delete-crds is set:",
    "then the CRDs and their objects are deleted first, while the manager can still run finalizers, and everything else afterwards.",
    CLUSTER,
  ].join("\n"),
  examples: ["scaffold undeploy", "scaffold undeploy --delete-crds --timeout=5m"],
  flags: [
    KUBECTL_FLAG,
    IGNORE_NOT_FOUND_FLAG,
    {
      name: "delete-crds",
      kind: "boolean",
      help: "delete the CRDs, all of their objects, and the namespace",
      default: "false",
    },
    { name: "keep-crds", kind: "boolean", help: "keep the CRDs, even with --delete-crds", default: "false" },
    { name: "timeout", kind: "string", help: "time limit for the deletion of CRDs and their objects", default: "2m" },
    DRY_RUN_FLAG,
  ],
  run: async (invocation) => {
    const { runUndeploy } = await import("./run-deploy.ts");
    return runUndeploy(invocation);
  },
};

/** `scaffold build-installer`: everything that a cluster needs, in one file. */
export const buildInstallerCommand: Command = {
  path: ["build-installer"],
  summary: "Write all manifests to dist/install.yaml",
  description: [
    "Build config/default with kustomize, set the image of the manager, and write the manifests to dist/install.yaml.",
    "Users install the operator with `kubectl apply --server-side -f`.",
  ].join("\n"),
  examples: ["scaffold build-installer --image registry.example.com/guestbook:v1"],
  flags: [IMAGE_FLAG, KUBECTL_FLAG, { ...DRY_RUN_FLAG, help: "list the objects without writing the file" }],
  run: async (invocation) => {
    const { runBuildInstaller } = await import("./run-deploy.ts");
    return runBuildInstaller(invocation);
  },
};
