import { messageOf } from "@kubescaffold/k8s";
import type { ScaffoldContext } from "kubescaffold/plugin";

import { type Dashboard, dashboardModel, type Panel } from "./dashboard-model.ts";
import { quantilesBy, rateBy, sumBy } from "./queries.ts";
import { resourcesDashboard } from "./resources-dashboard.ts";
import { runtimeDashboard } from "./runtime-dashboard.ts";

const FOLDER = "grafana";
const CONFIG = `${FOLDER}/custom-metrics/config.yaml`;

/**
 * Plans the dashboards of a project, and the one of its own metrics when there are any.
 *
 * Guarantees: the list of own metrics is the user's; an entry of it that cannot be used is reported and gets no panel.
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

function write({ tree, pm }: ScaffoldContext, name: string, dashboard: Dashboard): void {
  const text = JSON.stringify(dashboardModel(dashboard, pm.exec), undefined, 2);
  tree.create(`${FOLDER}/${name}.json`, `${withShortLists(text)}\n`, { ifExists: "overwrite" });
}

// As the formatter of the project writes them.
function withShortLists(json: string): string {
  return json.replaceAll(
    /\[\n\s+("[^"\n]*"(?:,\n\s+"[^"\n]*")*)\n\s+\]/gu,
    (_, items: string) => `[${items.split(/,\n\s+/u).join(", ")}]`,
  );
}

/** The panels of a project's own metrics, and what is wrong with entries that get none. */
interface CustomPanels {
  readonly panels: readonly Panel[];
  readonly problems: readonly string[];
}

/** Reads the list of a project's own metrics. Guarantees: never fails; what cannot be used is a problem, and the rest gets its panels. */
async function customPanels(text: string, file: string): Promise<CustomPanels> {
  const { readYaml } = await import("@kubescaffold/k8s/yaml");
  let content: unknown;
  try {
    content = text.trim() === "" ? undefined : readYaml(text, { file });
  } catch (error) {
    return { panels: [], problems: [messageOf(error)] };
  }
  const { customMetrics = [] } = (content ?? {}) as { readonly customMetrics?: unknown };
  if (customMetrics === null) return { panels: [], problems: [] };
  if (!Array.isArray(customMetrics)) return { panels: [], problems: [`${file}: customMetrics is not a list`] };
  const read = customMetrics.map((entry: unknown, index) => readEntry(entry, `${file}: entry ${index + 1}`));
  return {
    panels: read.flatMap((each) => (typeof each === "string" ? [] : [each])),
    problems: read.flatMap((each) => (typeof each === "string" ? [each] : [])),
  };
}

const TYPES = ["counter", "gauge", "histogram"];

function readEntry(entry: unknown, place: string): Panel | string {
  const { metric, type, expr, unit } = (entry ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof metric !== "string" || metric === "") return `${place} has no metric; the panel was skipped`;
  if (!/^[a-zA-Z_:][\w:]*$/u.test(metric)) return `${place}: "${metric}" is not a metric name; the panel was skipped`;
  if (typeof type !== "string" || !TYPES.includes(type)) {
    const given = type === undefined || type === null ? "no type" : `the type ${JSON.stringify(type)}`;
    return `${place}, ${metric}, has ${given}: use one of ${TYPES.join(", ")}; the panel was skipped`;
  }
  for (const [name, value] of Object.entries({ expr, unit }))
    if (value !== undefined && value !== null && typeof value !== "string")
      return `${place}, ${metric}: ${name} is not a string; the panel was skipped`;
  const queries = typeof expr === "string" && expr !== "" ? [{ expr, legend: "" }] : queriesOf(metric, type);
  const wanted = typeof unit === "string" && unit !== "" ? unit : unitOf(metric, type);
  return { title: metric, description: `A ${type}`, unit: wanted, queries };
}

function queriesOf(metric: string, type: string): Panel["queries"] {
  if (type === "counter") return [rateBy(metric, "pod")];
  if (type === "gauge") return [sumBy(metric, "pod")];
  return quantilesBy(metric.replace(/_bucket$/u, ""), "pod");
}

const UNITS: readonly (readonly [end: RegExp, unit: string, perSecond: string])[] = [
  [/_seconds$/u, "s", "percentunit"],
  [/_milliseconds$/u, "ms", "none"],
  [/_bytes$/u, "bytes", "Bps"],
  [/_ratio$/u, "percentunit", "none"],
  [/_percent$/u, "percent", "none"],
  [/_celsius$/u, "celsius", "none"],
];

// A counter is shown by how fast it grows.
function unitOf(metric: string, type: string): string {
  const measured = metric.replace(/_(?:total|bucket)$/u, "");
  const [, unit, perSecond] = UNITS.find(([end]) => end.test(measured)) ?? [undefined, "none", "ops"];
  return type === "counter" ? perSecond : unit;
}
