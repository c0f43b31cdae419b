import type { ScaffoldContext } from "kubescaffold/plugin";

import { customPanels } from "./custom-metrics.ts";
import { type Dashboard, dashboardModel } from "./dashboard-model.ts";
import { resourcesDashboard } from "./resources-dashboard.ts";
import { runtimeDashboard } from "./runtime-dashboard.ts";

const FOLDER = "grafana";
const CONFIG = `${FOLDER}/custom-metrics/config.yaml`;

/**
 * Plans the dashboards of a project, and the one of its own metrics when there are any.
 *
 * Guarantees: the list of own metrics is the user's; an entry of it that cannot be used is told of and gets no panel.
 */
export async function writeDashboards(context: ScaffoldContext): Promise<void> {
  const { tree, note, renderTemplates, storeConfiguration } = context;
  const project = context.project.projectName ?? "";
  write(context, "controller-runtime-metrics", runtimeDashboard(project));
  write(context, "controller-resources-metrics", resourcesDashboard(project));
  renderTemplates("edit", { values: {}, ifExists: "skip" });
  const { panels, problems } = await customPanels(tree.read(CONFIG) ?? "", CONFIG);
  for (const problem of problems) note(`warning: ${problem}`);
  if (panels.length > 0) {
    const title = `${project}: custom metrics`;
    write(context, "custom-metrics/custom-metrics-dashboard", {
      uid: `${project}-custom`,
      title,
      rows: [{ title: "Custom metrics", panels }],
    });
  }
  storeConfiguration({});
}

function write({ tree }: ScaffoldContext, name: string, dashboard: Dashboard): void {
  const text = JSON.stringify(dashboardModel(dashboard), undefined, 2);
  tree.create(`${FOLDER}/${name}.json`, `${withShortLists(text)}\n`, { ifExists: "overwrite" });
}

// As the formatter of the project writes them.
function withShortLists(json: string): string {
  return json.replaceAll(
    /\[\n\s+("[^"\n]*"(?:,\n\s+"[^"\n]*")*)\n\s+\]/gu,
    (_, items: string) => `[${items.split(/,\n\s+/u).join(", ")}]`,
  );
}
