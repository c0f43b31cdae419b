import { compiledTemplates, definePlugin, type Plugin, type ScaffoldContext } from "kubescaffold/plugin";

import { compiled } from "./generated/templates.ts";

/** Says in one sentence what the plugin adds to a project. */
export const template: Plugin = definePlugin({
  key: "template.kubescaffold.dev/v1-alpha",
  description: "The starting point of a plugin",
  isHidden: true,
  templates: compiledTemplates(compiled),
  init,
});

/** Writes one file, named for the project. */
function init({ project, renderTemplates }: ScaffoldContext): void {
  renderTemplates("init", { values: { projectName: project.projectName ?? "" } });
}
