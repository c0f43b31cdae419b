import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import {
  CERTIFICATES_FLAG,
  LICENSE_FLAG,
  LICENSE_TEXT_FLAGS,
  PACKAGE_MANAGER_FLAG,
  WRITING_FLAGS,
} from "../../flags/global-flags.ts";
import { minorOf, NEW_KUBERNETES_FLAG } from "../../flags/kubernetes-flag.ts";
import type { InitOptions } from "./run-init.ts";

/** `scaffold init`: a new project. */
export const initCommand: Command = defineCommand({
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
      mayBeEmpty: true,
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
    { ...LICENSE_FLAG, default: "apache2" },
    ...LICENSE_TEXT_FLAGS,
    {
      name: "multigroup",
      kind: "boolean",
      help: "place APIs, controllers, and webhooks in folders per group",
      default: "false",
    },
    { name: "namespaced", kind: "boolean", help: "scope the manager and its RBAC to namespaces", default: "false" },
    CERTIFICATES_FLAG,
    { name: "project-version", kind: "string", help: "version of the PROJECT file", default: "3", values: ["3"] },
    NEW_KUBERNETES_FLAG,
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
  parse: async (flags, { cwd, terminal }): Promise<InitOptions> => {
    const { readBoilerplate } = await import("../../flags/boilerplate.ts");
    return {
      domain: flags.domain?.trim(),
      projectName: flags["project-name"],
      repo: flags.repo,
      multigroup: flags.multigroup === true,
      namespaced: flags.namespaced === true,
      certificates: flags.certificates,
      boilerplate: readBoilerplate(flags, cwd),
      kubernetes: flags.kubernetes === undefined ? undefined : minorOf(flags.kubernetes, terminal),
      packageManager: flags["package-manager"],
      installs: flags["skip-install"] !== true,
      describesTypes: flags["k8s-docs"] !== false,
    };
  },
  run: async (options, invocation) => {
    const { runInit } = await import("./run-init.ts");
    return runInit(options, invocation);
  },
});
