import { BOILERPLATE_FILE, type ScaffoldContext } from "kubescaffold/plugin";

import { sortBundle } from "./chart/bundle.ts";
import { chartTemplates, MADE } from "./chart/chart-files.ts";
import { chartFacts, type ChartFacts } from "./chart/facts.ts";
import { valuesText } from "./chart/values.ts";
import { keepValues } from "./keep-values.ts";
import { loadManifests } from "./load-manifests.ts";
import { groupOf, nameOf, textAt } from "./manifest.ts";
import { chartOptions, type ChartOptions } from "./options.ts";
import { extendProject } from "./project-files.ts";

// What `install-helm` builds.
const HELM_VERSION = "v4.3.1";

/**
 * Plans the chart of a project, from the objects that its kustomization makes or from a file with them, and what deploys it.
 *
 * Guarantees: Chart.yaml is the user's. Without `--force` so are values.yaml, to which only missing keys are added, NOTES.txt, _helpers.tpl,
 * .helmignore, the workflow, and every template without the line that says that it was made.
 */
export function writeChart(context: ScaffoldContext): void {
  const options = chartOptions(context);
  const { manifests, source } = loadManifests(context.tree, options.bundle);
  const bundle = sortBundle(manifests, source);
  const facts = chartFacts(bundle, context.project.projectName ?? "chart");
  noteOwnObjects(context, facts);
  writeFixedFiles(context, options, facts);
  writeTemplates(context, options, chartTemplates(facts));
  keepValues(context, { path: `${options.folder}/values.yaml`, text: valuesText(facts), facts, force: options.force });
  context.storeConfiguration(options.stored);
}

function noteOwnObjects({ note }: ScaffoldContext, { bundle }: ChartFacts): void {
  for (const each of bundle.ownObjects)
    note(`${each.kind} ${nameOf(each)} is no part of the chart: it is an object of the project's own kinds.`);
}

function writeFixedFiles(context: ScaffoldContext, { folder, force }: ChartOptions, facts: ChartFacts): void {
  const { tree, renderTemplates } = context;
  const values = {
    chart: facts.chart,
    chartFolder: folder,
    namespace: facts.bundle.namespace || `${facts.chart}-system`,
    appVersion: versionOf(facts),
    groups: groupsOf(facts).map((name) => ({ name })),
    helmVersion: HELM_VERSION,
    boilerplate: boilerplateOf(tree.read(BOILERPLATE_FILE)),
  };
  const ifExists = force ? "overwrite" : "skip";
  const isChart = (path: string): boolean => path === `${folder}/Chart.yaml`;
  renderTemplates("chart", { values, into: folder, ifExists: "skip", without: (path) => !isChart(path) });
  renderTemplates("chart", { values, into: folder, ifExists, without: isChart });
  renderTemplates("project", { values, ifExists });
  extendProject(context, values);
}

function versionOf({ image: { tag } }: ChartFacts): string {
  return tag === "" || tag === "latest" ? "0.1.0" : tag;
}

function groupsOf({ bundle }: ChartFacts): readonly string[] {
  const crds = bundle.others.filter((each) => groupOf(each) === "apiextensions.k8s.io");
  return [...new Set(crds.map((each) => textAt(each, "spec", "group")))].toSorted();
}

function boilerplateOf(text: string | undefined): string {
  return text === undefined || text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
}

function writeTemplates(
  { tree, note }: ScaffoldContext,
  { folder, force }: ChartOptions,
  made: ReadonlyMap<string, string>,
): void {
  const below = `${folder}/templates`;
  const isMade = (path: string): boolean => tree.read(path)?.startsWith(MADE) === true;
  for (const [name, text] of made) {
    const path = `${below}/${name}`;
    const isKept = !force && tree.exists(path) && !isMade(path);
    tree.create(path, text, { ifExists: isKept ? "skip" : "overwrite" });
    if (isKept) note(`${path} is kept: it does not begin with the line of what is made. --force writes it anew.`);
  }
  const wanted = new Set([...made.keys()].map((name) => `${below}/${name}`));
  for (const path of tree.filesBelow(below)) if (!wanted.has(path) && isMade(path)) tree.delete(path);
}
