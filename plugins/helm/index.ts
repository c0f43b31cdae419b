import { compiledTemplates, definePlugin, type Plugin, type ScaffoldContext } from "kubescaffold/plugin";

import { compiled } from "./generated/templates.ts";
import { chartFlags, chartFolder, restoredOptions } from "./options.ts";

const HELP = {
  description:
    "Write a Helm chart from config/default, and Makefile targets that deploy it. Run it again after changing the project: templates are regenerated; Chart.yaml, values, notes, helpers, and the workflow are not overwritten unless --force is set, and missing keys are added to the values.",
  examples: `scaffold edit --plugins=helm/v2-alpha
scaffold edit --plugins=helm/v2-alpha --output-dir=charts
scaffold edit --plugins=helm/v2-alpha --manifests=bundle.yaml
scaffold edit --plugins=helm/v2-alpha --force`,
};

/** Writes a chart for Helm of the same objects that kustomize makes. */
export const helm: Plugin = definePlugin({
  key: "helm.kubescaffold.dev/v2-alpha",
  description: "Helm chart for the operator",
  templates: compiledTemplates(compiled),
  readsGenerated: true,
  outputFolder: chartFolder,
  flags: chartFlags,
  help: () => HELP,
  restoreConfiguration: ({ tree }) => restoredOptions(tree.read("Makefile")),
  init: plan,
  edit: plan,
});

async function plan(context: ScaffoldContext): Promise<void> {
  const { writeChart } = await import("./write-chart.ts");
  await writeChart(context);
}
