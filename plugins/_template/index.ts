import { definePlugin, type Plugin } from "kubescaffold/plugin";

import { init } from "./init.ts";
import { templates } from "./templates.ts";

/** Says in one sentence what the plugin adds to a project. */
export const template: Plugin = definePlugin({
  key: "template.kubescaffold.dev/v1-alpha",
  description: "A plugin to start from",
  isHidden: true,
  templates,
  init,
});
