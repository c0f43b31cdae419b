import { definePlugin, type Plugin } from "kubescaffold/plugin";

import { createApi } from "./create-api.ts";
import { FLAGS, HELP } from "./flags.ts";
import { templates } from "./templates.ts";

/** Makes of an API a kind whose controller runs an image: it works on what the plugins of a project have planned before it. */
export const deployImage: Plugin = definePlugin({
  key: "deploy-image.ts.kubescaffold.dev/v1-alpha",
  description: "API and controller that deploy and manage an image",
  isReplayable: true,
  templates,
  flags: (command) => (command === "create api" ? FLAGS : []),
  help: () => HELP,
  createApi,
});
