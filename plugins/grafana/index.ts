import { definePlugin, type Plugin } from "kubescaffold/plugin";

import { templates } from "./templates.ts";

const HELP = {
  description:
    "Writes dashboards for Grafana into grafana/, and one for the metrics that grafana/custom-metrics/config.yaml lists: run it again after a change there.",
  examples: "scaffold edit --plugins=grafana/v1-alpha",
};

/** Writes dashboards for Grafana: what the manager does, what it needs, and the metrics of the project's own. */
export const grafana: Plugin = definePlugin({
  key: "grafana.kubescaffold.dev/v1-alpha",
  description: "Dashboards for Grafana",
  templates,
  help: () => HELP,
  init: async (context) => {
    const { writeDashboards } = await import("./write-dashboards.ts");
    await writeDashboards(context);
  },
  edit: async (context) => {
    const { writeDashboards } = await import("./write-dashboards.ts");
    await writeDashboards(context);
  },
});
