import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { imageFlag } from "../../flags/image-flag.ts";
import { KUBECTL_FLAG, kubectlOf } from "./kubectl.ts";
import type { UndeployOptions } from "./run-deploy.ts";

const IMAGE_FLAG = {
  name: "image",
  kind: "string",
  mayBeEmpty: true,
  help: "image of the manager",
  default: "$IMG, or the image in config/manager",
} as const;

const IGNORE_NOT_FOUND_FLAG = {
  name: "ignore-not-found",
  kind: "boolean",
  help: "treat objects that do not exist as deleted",
  default: "false",
} as const;

const DRY_RUN_FLAG = {
  name: "dry-run",
  kind: "boolean",
  help: "list the objects without changing the cluster",
  default: "false",
} as const;

const CLUSTER =
  "kubectl builds the manifests and sends them to the cluster of the current kubeconfig. No file of the project changes.";

/** `scaffold install`: the CRDs of the project into the cluster. */
export const installCommand: Command = defineCommand({
  path: ["install"],
  summary: "Install the CRDs into the cluster",
  description: [
    "Apply the CRDs in config/crd with server-side apply, because large CRDs exceed the annotation limit of client-side apply.",
    CLUSTER,
  ].join("\n"),
  examples: ["scaffold install", "scaffold install --dry-run"],
  flags: [KUBECTL_FLAG, DRY_RUN_FLAG],
  parse: ({ kubectl }) => ({ kubectl: kubectlOf(kubectl) }),
  run: async (options, invocation) => {
    const { runInstall } = await import("./run-deploy.ts");
    return runInstall(options, invocation);
  },
});

/** `scaffold uninstall`: the CRDs of the project, and their objects, out of the cluster. */
export const uninstallCommand: Command = defineCommand({
  path: ["uninstall"],
  summary: "Uninstall the CRDs and delete all of their objects",
  description: ["Delete the CRDs in config/crd and all of their objects.", CLUSTER].join("\n"),
  examples: ["scaffold uninstall", "scaffold uninstall --ignore-not-found"],
  flags: [KUBECTL_FLAG, IGNORE_NOT_FOUND_FLAG, DRY_RUN_FLAG],
  parse: ({ kubectl, ...flags }) => ({
    kubectl: kubectlOf(kubectl),
    ignoresMissing: flags["ignore-not-found"] === true,
  }),
  run: async (options, invocation) => {
    const { runUninstall } = await import("./run-deploy.ts");
    return runUninstall(options, invocation);
  },
});

/** `scaffold deploy`: the operator into the cluster. */
export const deployCommand: Command = defineCommand({
  path: ["deploy"],
  summary: "Deploy the operator to the cluster",
  description: [
    "Build config/default with kustomize, set the image of the manager, and apply the manifests with server-side apply.",
    CLUSTER,
  ].join("\n"),
  examples: ["scaffold deploy --image registry.example.com/guestbook:v1", "scaffold deploy --dry-run"],
  flags: [IMAGE_FLAG, KUBECTL_FLAG, DRY_RUN_FLAG],
  parse: ({ kubectl, image }) => ({ kubectl: kubectlOf(kubectl), image: imageFlag(image) }),
  run: async (options, invocation) => {
    const { runDeploy } = await import("./run-deploy.ts");
    return runDeploy(options, invocation);
  },
});

/** `scaffold undeploy`: the operator out of the cluster. */
export const undeployCommand: Command = defineCommand({
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
  parse: ({ kubectl, timeout = "2m", ...flags }): UndeployOptions => ({
    kubectl: kubectlOf(kubectl),
    ignoresMissing: flags["ignore-not-found"] === true,
    deletesCrds: flags["delete-crds"] === true && flags["keep-crds"] !== true,
    timeout: timeoutOf(timeout),
  }),
  run: async (options, invocation) => {
    const { runUndeploy } = await import("./run-deploy.ts");
    return runUndeploy(options, invocation);
  },
});

/** `scaffold build-installer`: everything that a cluster needs, in one file. */
export const buildInstallerCommand: Command = defineCommand({
  path: ["build-installer"],
  summary: "Write all manifests to dist/install.yaml",
  description: [
    "Build config/default with kustomize, set the image of the manager, and write the manifests to dist/install.yaml.",
    "Users install the operator with `kubectl apply --server-side -f`.",
  ].join("\n"),
  examples: ["scaffold build-installer --image registry.example.com/guestbook:v1"],
  flags: [IMAGE_FLAG, KUBECTL_FLAG, { ...DRY_RUN_FLAG, help: "list the objects without writing the file" }],
  parse: ({ kubectl, image }) => ({ kubectl: kubectlOf(kubectl), image: imageFlag(image) }),
  run: async (options, invocation) => {
    const { runBuildInstaller } = await import("./run-deploy.ts");
    return runBuildInstaller(options, invocation);
  },
});

const UNIT = /^\d{1,9}(?:\.\d{1,9})?(?:ms|h|m|s)/u;

// Go's form, which kubectl takes: 90s, 1m30s.
function timeoutOf(text: string): string {
  let rest = text;
  for (let unit = UNIT.exec(rest); unit !== null; unit = UNIT.exec(rest)) rest = rest.slice(unit[0].length);
  if (rest === "" && text !== "") return text;
  throw new InvalidFlagError(`invalid value "${text}" for flag --timeout: not a duration`, {
    hint: "pass a duration such as 90s or 5m",
  });
}
