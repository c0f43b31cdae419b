import { definePlugin, type Plugin, type ScaffoldContext } from "kubescaffold/plugin";

import { MissingVersionError } from "./errors.ts";
import { templates } from "./templates.ts";

const HELP = {
  description:
    "Writes a workflow for GitHub that merges new versions of the scaffold into a branch once a week, and opens a pull request for it.",
  examples: "scaffold edit --plugins=autoupdate/v1-alpha",
};

/** Writes a workflow that keeps a project up to date with what new versions scaffold. */
export const autoupdate: Plugin = definePlugin({
  key: "autoupdate.kubescaffold.dev/v1-alpha",
  description: "A workflow that proposes updates of the scaffold",
  templates,
  help: () => HELP,
  init: writeWorkflow,
  edit: writeWorkflow,
});

function writeWorkflow({ project, renderTemplates, storeConfiguration }: ScaffoldContext): void {
  if ((project.cliVersion ?? "") === "") throw new MissingVersionError();
  renderTemplates("edit", { values: {}, ifExists: "overwrite" });
  storeConfiguration({});
}
