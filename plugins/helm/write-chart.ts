import { dns1123LabelErrors, dns1123SubdomainErrors, messageOf } from "@kubescaffold/k8s";
import { readYaml } from "@kubescaffold/k8s/yaml";
import {
  addMissingKeys,
  BOILERPLATE_FILE,
  buildKustomization,
  type FileTree,
  groupOf,
  headerOf,
  isMap,
  type Json,
  KustomizationError,
  type Manifest,
  manifestsIn,
  membersOf,
  nameOf,
  quotedText,
  type ScaffoldContext,
  textAt,
  updatePackageManifest,
} from "kubescaffold/plugin";

import { sortBundle } from "./chart/bundle.ts";
import { chartTemplates, MADE } from "./chart/chart-files.ts";
import { ChartSourceError, ChartValuesError, ManifestsError } from "./chart/errors.ts";
import { chartFacts, type ChartFacts } from "./chart/facts.ts";
import { missingVariables, valuesText } from "./chart/values.ts";
import { chartOptions, type ChartOptions } from "./options.ts";

// What `install-helm` builds.
const HELM_VERSION = "v4.3.1";

/**
 * Plans the chart of a project, from the objects that its kustomization makes or from a file with them, and what deploys it.
 *
 * Guarantees: Chart.yaml is the user's. Without `--force` so are values.yaml, to which only missing keys are added, NOTES.txt, _helpers.tpl,
 * .helmignore, the workflow, and every template without the line that says that it was made.
 */
export async function writeChart(context: ScaffoldContext): Promise<void> {
  const options = chartOptions(context);
  const { manifests, source } = await loadManifests(context.tree, options.bundle);
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
    note(`${each.kind} ${nameOf(each)} is not part of the chart: it is an object of a kind of the project.`);
}

function writeFixedFiles(context: ScaffoldContext, { folder, force }: ChartOptions, facts: ChartFacts): void {
  const { tree, renderTemplates } = context;
  const values = {
    chart: facts.chart,
    chartFolder: folder,
    namespace: namespaceOf(facts),
    appVersion: quotedText(versionOf(facts)),
    groups: groupsOf(facts).map((name) => ({ name })),
    helmVersion: HELM_VERSION,
    boilerplate: headerOf(tree.read(BOILERPLATE_FILE) ?? ""),
  };
  const ifExists = force ? "overwrite" : "skip";
  const isChart = (path: string): boolean => path === `${folder}/Chart.yaml`;
  renderTemplates("chart", { values, into: folder, ifExists: (path) => (isChart(path) ? "skip" : ifExists) });
  renderTemplates("project", { values, ifExists });
  extendProject(context, values);
}

// It is in a Makefile and a script.
function namespaceOf({ bundle: { namespace }, chart }: ChartFacts): string {
  if (namespace === "") return `${chart}-system`;
  if (dns1123LabelErrors(namespace).length === 0) return namespace;
  throw new ManifestsError(`cannot create a chart for the namespace ${quotedText(namespace)}: it is not a DNS label`, {
    hint: "fix the namespace of config/default, or of the manager in the manifests",
  });
}

function versionOf({ image: { tag } }: ChartFacts): string {
  return tag === "" || tag === "latest" ? "0.1.0" : tag;
}

function groupsOf({ bundle }: ChartFacts): readonly string[] {
  const crds = bundle.others.filter((each) => groupOf(each) === "apiextensions.k8s.io");
  return [...new Set(crds.map((each) => textAt(each, "spec", "group")))]
    .filter((group) => dns1123SubdomainErrors(group).length === 0)
    .toSorted();
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
    if (isKept)
      note(
        `${path} was not changed: it does not start with the header of generated files. Use --force to overwrite it.`,
      );
  }
  const wanted = new Set([...made.keys()].map((name) => `${below}/${name}`));
  for (const path of tree.filesBelow(below)) if (!wanted.has(path) && isMade(path)) tree.delete(path);
}

/**
 * Plans values.yaml: as it is made where there is none or `force` says so, else as the user has it, with the keys that templates need and it lacks.
 *
 * Guarantees: what the user wrote stays, letter by letter.
 */
function keepValues(
  { tree, note }: ScaffoldContext,
  made: { readonly path: string; readonly text: string; readonly facts: ChartFacts; readonly force: boolean },
): void {
  const { path, text, facts, force } = made;
  const present = tree.read(path);
  tree.create(path, text, { ifExists: force ? "overwrite" : "skip" });
  if (present === undefined || force) return;
  const values = parse(present, path);
  const { text: completed, added } = addMissingKeys(present, text);
  if (added.length > 0) {
    tree.update(path, () => completed);
    note(`${path}: added missing keys ${added.join(", ")}.`);
  }
  const variables = added.includes("manager.env") || !isMap(values) ? [] : missingVariables(facts, values);
  if (variables.length > 0)
    note(`${path} does not set ${variables.join(", ")}, unlike config/manager: add it to manager.env if required.`);
}

function parse(text: string, path: string): Json {
  try {
    return readYaml(text, { file: path }) as Json;
  } catch (error) {
    throw new ChartValuesError(path, messageOf(error));
  }
}

const DEFAULT = "config/default";

/**
 * Returns the objects that a chart consists of: those of a file, else those that config/default makes, and what they come from.
 *
 * Fails: {@link ManifestsError} when there is no such file, or nothing in it.
 */
async function loadManifests(
  tree: FileTree,
  bundle: string | undefined,
): Promise<{ readonly manifests: readonly Manifest[]; readonly source: string }> {
  if (bundle === undefined)
    return { manifests: await forChart(buildKustomization((path) => tree.read(path), DEFAULT)), source: DEFAULT };
  const text = tree.read(bundle);
  if (text === undefined && tree.filesBelow(bundle).length > 0)
    throw new ManifestsError(`cannot create a chart from ${bundle}: it is a folder`, {
      hint: `specify a file with manifests, such as the output of \`kubectl kustomize ${bundle} > bundle.yaml\``,
    });
  if (text === undefined)
    throw new ManifestsError(`cannot create a chart from ${bundle}: no such file`, {
      hint: `write it with \`kubectl kustomize ${DEFAULT} > ${bundle}\`, or pass --manifests=dist/install.yaml, which builds ${DEFAULT}`,
    });
  const manifests = await forChart(manifestsIn(text, bundle));
  if (manifests.length > 0) return { manifests, source: bundle };
  throw new ManifestsError(`cannot create a chart from ${bundle}: it contains no manifests`, {
    hint: `write it with \`kubectl kustomize ${DEFAULT} > ${bundle}\``,
  });
}

async function forChart<T>(loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    throw error instanceof KustomizationError ? new ChartSourceError(error) : error;
  }
}

const SCRIPTS: Readonly<Record<string, string>> = {
  "install-helm": "node hack/helm.mjs install-helm",
  "helm-deploy": "node hack/helm.mjs deploy",
  "helm-uninstall": "node hack/helm.mjs uninstall",
  "helm-status": "node hack/helm.mjs status",
  "helm-history": "node hack/helm.mjs history",
  "helm-rollback": "node hack/helm.mjs rollback",
};

/** Adds targets and scripts that deploy the chart, where there are none, and lets git see the chart. */
function extendProject({ tree, renderLines }: ScaffoldContext, values: ProjectValues): void {
  addTargets(tree, renderLines("blocks/Makefile", { ...values }).join("\n"));
  addScripts(tree);
  showToGit(tree, values.chartFolder);
}

/** What the files beside the chart are filled in with. */
interface ProjectValues {
  readonly chart: string;
  readonly chartFolder: string;
  readonly namespace: string;
}

function addTargets(tree: FileTree, section: string): void {
  const text = tree.read("Makefile");
  if (text === undefined || /^helm-deploy:/mu.test(text)) return;
  tree.update("Makefile", () => `${text.trimEnd()}\n${section}\n`);
}

function addScripts(tree: FileTree): void {
  if (!tree.exists("package.json")) return;
  updatePackageManifest(tree, (manifest) => {
    const present = membersOf(manifest, "scripts");
    const missing = Object.entries(SCRIPTS).filter(([name]) => present[name] === undefined);
    return missing.length === 0 ? {} : { scripts: { ...present, ...Object.fromEntries(missing) } };
  });
}

// A folder that is ignored as a whole lets nothing below it back in.
function showToGit(tree: FileTree, chartFolder: string): void {
  const [top = "", ...below] = chartFolder.split("/");
  const text = tree.read(".gitignore");
  if (text === undefined || below.length === 0 || !text.split("\n").includes(`${top}/`)) return;
  const steps = below.map((_, index) => [top, ...below.slice(0, index + 1)].join("/"));
  const lines = steps.flatMap((step, index) => [`!/${step}/`, ...(index < steps.length - 1 ? [`/${step}/*`] : [])]);
  tree.update(".gitignore", () => text.replace(new RegExp(`^${top}/$`, "mu"), [`/${top}/*`, ...lines].join("\n")));
}
