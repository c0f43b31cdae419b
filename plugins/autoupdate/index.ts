import {
  compiledTemplates,
  definePlugin,
  type Plugin,
  readExactVersion,
  type ScaffoldContext,
} from "kubescaffold/plugin";

import { InexactVersionError, MissingVersionError } from "./errors.ts";
import { compiled } from "./generated/templates.ts";

const HELP = {
  description:
    "Write a GitHub workflow that merges new versions of the scaffold into a branch once a week and opens a pull request.",
  examples: "scaffold edit --plugins=autoupdate/v1-alpha",
};

/** Writes a workflow that keeps a project up to date with what new versions scaffold. */
export const autoupdate: Plugin = definePlugin({
  key: "autoupdate.kubescaffold.dev/v1-alpha",
  description: "GitHub workflow that proposes scaffold upgrades",
  templates: compiledTemplates(compiled),
  help: () => HELP,
  restoreConfiguration: ({ tree }) => (tree.exists(".github/workflows/auto_update.yml") ? {} : undefined),
  init: writeWorkflow,
  edit: writeWorkflow,
});

function writeWorkflow({ project, renderTemplates, storeConfiguration }: ScaffoldContext): void {
  const { cliVersion = "" } = project;
  if (cliVersion === "") throw new MissingVersionError();
  // The version becomes a part of a shell script.
  const version = readExactVersion(cliVersion);
  if (version === undefined) throw new InexactVersionError(cliVersion);
  renderTemplates("edit", { values: { version }, ifExists: "overwrite" });
  storeConfiguration({});
}
