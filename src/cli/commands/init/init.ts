import type { Command } from "../../command/command.ts";
import { LICENSE_FLAGS, PACKAGE_MANAGER_FLAG, WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold init`: a new project. */
export const initCommand: Command = {
  path: ["init"],
  worksAnywhere: true,
  pluginCommand: "init",
  summary: "Initialize a project in this folder",
  description:
    "Initialize a project in this folder: the manager, its build and tests, and its manifests. Existing files are not overwritten.",
  examples: [
    "scaffold init --domain example.com --project-name guestbook",
    "scaffold init --domain example.com --license none --skip-install",
  ],
  flags: [
    {
      name: "domain",
      kind: "string",
      help: "domain of the API groups; empty to give groups in full",
      default: "my.domain",
    },
    {
      name: "project-name",
      kind: "string",
      help: "name of the project and prefix of object names (default: the folder's name)",
    },
    {
      name: "repo",
      kind: "string",
      help: "name of the npm package (default: from package.json, or the project's name)",
    },
    ...LICENSE_FLAGS,
    {
      name: "multigroup",
      kind: "boolean",
      help: "place APIs, controllers, and webhooks in folders per group",
      default: "false",
    },
    { name: "namespaced", kind: "boolean", help: "scope the manager and its RBAC to namespaces", default: "false" },
    { name: "project-version", kind: "string", help: "version of the PROJECT file", default: "3", values: ["3"] },
    PACKAGE_MANAGER_FLAG,
    { name: "skip-install", kind: "boolean", help: "do not install the packages", default: "false" },
    {
      name: "k8s-docs",
      kind: "boolean",
      help: "run `scaffold k8s-docs` after the installation",
      default: "true",
    },
    ...WRITING_FLAGS,
  ],
  ask: async (asking) => {
    const { askForInit } = await import("./prompt-for-init.ts");
    return askForInit(asking);
  },
  run: async (invocation) => {
    const { runInit } = await import("./run-init.ts");
    return runInit(invocation);
  },
};
