import { definePlugin, type Plugin, type ScaffoldContext } from "kubescaffold/plugin";

import { chartFlags, chartFolder } from "./options.ts";
import { templates } from "./templates.ts";

const HELP = {
  description:
    "Writes a chart for Helm of what config/default makes, and targets that deploy it. Run it again after a change of the project: templates are made anew; Chart.yaml, values, notes, helpers and the workflow stay as they are unless --force is given, and values get the keys that they lack.",
  examples: `scaffold edit --plugins=helm/v2-alpha
scaffold edit --plugins=helm/v2-alpha --output-dir=charts
scaffold edit --plugins=helm/v2-alpha --manifests=bundle.yaml
scaffold edit --plugins=helm/v2-alpha --force`,
};

/** Writes a chart for Helm of the same objects that kustomize makes. */
export const helm: Plugin = definePlugin({
  key: "helm.kubescaffold.dev/v2-alpha",
  description: "A chart for Helm",
  templates,
  readsGenerated: true,
  outputFolder: chartFolder,
  flags: chartFlags,
  help: () => HELP,
  init: plan,
  edit: plan,
});

async function plan(context: ScaffoldContext): Promise<void> {
  const { writeChart } = await import("./write-chart.ts");
  writeChart(context);
}
