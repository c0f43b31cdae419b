import type { FileTree, ScaffoldContext } from "kubescaffold/plugin";

const SCRIPTS: Readonly<Record<string, string>> = {
  "install-helm": "node hack/helm.mjs install-helm",
  "helm-deploy": "node hack/helm.mjs deploy",
  "helm-uninstall": "node hack/helm.mjs uninstall",
  "helm-status": "node hack/helm.mjs status",
  "helm-history": "node hack/helm.mjs history",
  "helm-rollback": "node hack/helm.mjs rollback",
};

/** Adds targets and scripts that deploy the chart, where there are none, and lets git see the chart. */
export function extendProject({ tree, renderLines }: ScaffoldContext, values: ProjectValues): void {
  addTargets(tree, renderLines("blocks/Makefile", { ...values }).join("\n"));
  addScripts(tree);
  showToGit(tree, values.chartFolder);
}

/** What the files beside the chart are filled in with. */
export interface ProjectValues {
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
  const text = tree.read("package.json");
  if (text === undefined) return;
  const manifest = JSON.parse(text) as { readonly scripts?: Readonly<Record<string, string>> };
  const missing = Object.entries(SCRIPTS).filter(([name]) => manifest.scripts?.[name] === undefined);
  if (missing.length === 0) return;
  const scripts = { ...manifest.scripts, ...Object.fromEntries(missing) };
  tree.update("package.json", () => `${JSON.stringify({ ...manifest, scripts }, undefined, 2)}\n`);
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
