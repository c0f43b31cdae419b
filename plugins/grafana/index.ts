import { compiledTemplates, definePlugin, type Plugin } from "kubescaffold/plugin";

import { compiled } from "./generated/templates.ts";

const HELP = {
  description:
    "Write Grafana dashboards to grafana/, including one for the metrics in grafana/custom-metrics/config.yaml. Run it again after changing that file.",
  examples: "scaffold edit --plugins=grafana/v1-alpha",
};

/** Writes dashboards for Grafana: what the manager does, what it needs, and the metrics of the project's own. */
export const grafana: Plugin = definePlugin({
  key: "grafana.kubescaffold.dev/v1-alpha",
  description: "Grafana dashboards for the manager's metrics",
  templates: compiledTemplates(compiled),
  help: () => HELP,
  restoreConfiguration: ({ tree }) => (tree.exists("grafana/controller-runtime-metrics.json") ? {} : undefined),
  init: async (context) => {
    const { writeDashboards } = await import("./write-dashboards.ts");
    await writeDashboards(context);
  },
  edit: async (context) => {
    const { writeDashboards } = await import("./write-dashboards.ts");
    await writeDashboards(context);
  },
});
