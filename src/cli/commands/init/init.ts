import type { Command } from "../../command.ts";
import { LICENSE_FLAGS, WRITING_FLAGS } from "../../flags/global-flags.ts";

/** `scaffold init`: a new project. */
export const initCommand: Command = {
  path: ["init"],
  pluginCommand: "init",
  summary: "Start a project in this folder",
  description:
    "Start a project in this folder: the program, its build and tests, and the manifests around it. Files that exist are kept.",
  examples: [
    "scaffold init --domain example.com --project-name guestbook",
    "scaffold init --domain example.com --license none --skip-install",
  ],
  flags: [
    {
      name: "domain",
      kind: "string",
      help: "domain of the API groups; empty, they are written in full",
      default: "my.domain",
    },
    {
      name: "project-name",
      kind: "string",
      help: "name of the project, which object names begin with (default: the name of the folder)",
    },
    {
      name: "repo",
      kind: "string",
      help: "name of the npm package (default: that of package.json, else the project name)",
    },
    ...LICENSE_FLAGS,
    {
      name: "multigroup",
      kind: "boolean",
      help: "put APIs, controllers and webhooks into folders of their group",
      default: "false",
    },
    { name: "namespaced", kind: "boolean", help: "scope the manager to namespaces", default: "false" },
    { name: "project-version", kind: "string", help: "version of the PROJECT file", default: "3", values: ["3"] },
    { name: "skip-install", kind: "boolean", help: "do not run npm install", default: "false" },
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
