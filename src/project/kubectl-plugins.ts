import { isRecord } from "@kubescaffold/platform";

import { baseSection, type ProjectConfig, type ProjectResource, withBaseSection } from "./project-config.ts";

/** The key of the records of kubectl plugins in the section of the default plugin. */
export const KUBECTL_PLUGINS = "kubectlPlugins";

/** What PROJECT records of a kubectl plugin: its name, and the kind that its sample commands read. */
export interface KubectlPluginRecord {
  readonly name: string;
  readonly domain?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly version?: string;
}

/** Returns the kubectl plugins of a project; entries that are malformed are left out. */
export function kubectlPluginsOf(project: ProjectConfig): readonly KubectlPluginRecord[] {
  const { [KUBECTL_PLUGINS]: entries } = baseSection(project);
  return Array.isArray(entries) ? entries.filter((each) => isPluginRecord(each)) : [];
}

function isPluginRecord(entry: unknown): entry is KubectlPluginRecord {
  if (!isRecord(entry) || typeof entry["name"] !== "string") return false;
  const { domain = "", group = "", kind = "", version = "" } = entry;
  return [domain, group, kind, version].every((each) => typeof each === "string");
}

/** Returns the project with other kubectl plugins. */
export function withKubectlPlugins(project: ProjectConfig, plugins: readonly KubectlPluginRecord[]): ProjectConfig {
  const { [KUBECTL_PLUGINS]: _, ...others } = baseSection(project);
  return withBaseSection(project, plugins.length === 0 ? others : { ...others, [KUBECTL_PLUGINS]: plugins });
}

/** Returns the record of a plugin for a kind. */
export function pluginRecord(name: string, resource: ProjectResource | undefined): KubectlPluginRecord {
  if (resource === undefined) return { name };
  const { domain, group, kind, version } = resource;
  return {
    name,
    ...(domain === undefined ? {} : { domain }),
    ...(group === undefined ? {} : { group }),
    kind,
    version,
  };
}

// A project without a kind has Deployments, one of which is that of its manager.
const DEPLOYMENT: ProjectResource = {
  core: true,
  group: "apps",
  kind: "Deployment",
  path: "@kubescaffold/k8s/apps/v1",
  version: "v1",
};

/** Returns the entry of PROJECT whose kind the sample commands of a plugin read; Deployments unless one is recorded. */
export function resourceOfPlugin(project: ProjectConfig, record: KubectlPluginRecord): ProjectResource {
  return (project.resources ?? []).find((each) => isPluginOf(record, each)) ?? DEPLOYMENT;
}

/** Reports whether the sample commands of a plugin read the kind of an entry. */
export function isPluginOf(
  { domain = "", group = "", kind, version }: KubectlPluginRecord,
  resource: ProjectResource,
): boolean {
  return (
    kind === resource.kind &&
    version === resource.version &&
    group === (resource.group ?? "") &&
    domain === (resource.domain ?? "")
  );
}

/** Returns the names of what a kubectl plugin consists of. */
export function namesOfPlugin(name: string): {
  readonly folder: string;
  readonly script: string;
  readonly build: string;
} {
  return {
    folder: `cmd/kubectl-${name}`,
    script: `build:kubectl-${name}`,
    build: `node hack/build-kubectl-plugin.mjs ${name}`,
  };
}

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u;
const NAME_LENGTH = 63;

/** Reports whether a text can be the name of a kubectl plugin, whatever commands kubectl has. */
export function isKubectlPluginName(text: string): boolean {
  return NAME.test(text) && text.length <= NAME_LENGTH;
}

/** The commands of kubectl 1.37, which it runs instead of plugins with their names. */
export const KUBECTL_COMMANDS: ReadonlySet<string> = new Set(
  `alpha annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config cordon cp create debug delete
  describe diff drain edit events exec explain expose get help kuberc kustomize label logs options patch plugin port-forward proxy replace rollout
  run scale set taint top uncordon version wait`.split(/\s+/u),
);
