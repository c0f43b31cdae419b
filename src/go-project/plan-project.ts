import { TYPE_META_PROPERTIES } from "@kubescaffold/generators/descriptions";
import { type CrdFacts, readCrds } from "@kubescaffold/generators/importer";
import { lineComment } from "@kubescaffold/generators/typescript";

import { coreTypesModule } from "../project/core-groups.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project/project-config.ts";
import { typesPathOf, pluralOf } from "../project/resource-names.ts";
import { validateGvk, validateProjectName, validateRepo } from "../project/validate-names.ts";
import { isKnownLayoutKey } from "./go-layout.ts";
import type { GoProject } from "./go-project.ts";
import { textOf } from "./manifest-facts.ts";

/** Something of the Go project that the new project does not have, and what to do about it. */
export interface NotMapped {
  readonly what: string;
  readonly why: string;
}

/** The project that stands for a Go project. */
export interface PlannedProject {
  readonly project: ProjectConfig;
  /** Definitions that stand for kinds whose types are elsewhere: they let any content pass. */
  readonly externals: readonly CrdFacts[];
  readonly notMapped: readonly NotMapped[];
}

/** What the new project is called, and what makes it. */
export interface PlanProjectOptions {
  readonly repo: string | undefined;
  /** Takes the place of the name that PROJECT records. */
  readonly projectName: string | undefined;
  /** The name where PROJECT records none. */
  readonly fallbackName: string;
  readonly cliVersion: string;
  readonly layout: readonly string[];
  /** Reports whether there is a plugin of a key. */
  readonly hasPlugin: (key: string) => boolean;
}

/**
 * Decides what PROJECT of the new project says.
 *
 * Guarantees: names, groups, domains, versions, kinds, plurals, scopes, controllers and webhooks are those of the Go project.
 * Fails: `InvalidNameError` for a name that no project can have.
 */
export function planProject(go: GoProject, options: PlanProjectOptions): PlannedProject {
  const { domain, multigroup, namespaced, resources = [] } = go.project;
  const projectName = options.projectName ?? (go.project.projectName || options.fallbackName);
  validateProjectName(projectName);
  const repo = options.repo ?? projectName;
  validateRepo(repo);
  const bare: ProjectConfig = {
    cliVersion: options.cliVersion,
    ...(domain === undefined ? {} : { domain }),
    layout: options.layout,
    ...(multigroup === true ? { multigroup } : {}),
    ...(namespaced === true ? { namespaced } : {}),
    projectName,
    repo,
    version: "3",
  };
  const mapped = resources.map((resource) => mapResource(bare, resource));
  const plugins = mapPlugins(go.project.plugins ?? {}, options.hasPlugin);
  return {
    project: {
      ...bare,
      ...(Object.keys(plugins.data).length === 0 ? {} : { plugins: plugins.data }),
      ...(resources.length === 0 ? {} : { resources: mapped }),
    },
    externals: mapped.filter((each) => isElsewhere(each) && !isDefined(go, each)).map((each) => openDefinition(each)),
    notMapped: [
      ...unknownKeys(go.project),
      ...layoutNotes(go.project.layout),
      ...plugins.notMapped,
      ...resources.flatMap((resource) => resourceNotes(go, resource)),
    ],
  };
}

function mapResource(project: ProjectConfig, resource: ProjectResource): ProjectResource {
  const { group, domain, version, kind } = resource;
  if (resource.core !== true) validateGvk({ group: group ?? "", domain: domain ?? "", version, kind });
  const { module: _module, path: _path, ...kept } = onlyKnown(resource, RESOURCE_KEYS);
  if (resource.core === true) return { ...kept, path: coreTypesModule(group ?? "core", version) };
  if (isElsewhere(resource)) return { ...kept, external: true, path: `./${externalTypesOf(resource)}` };
  return { ...kept, path: typesPathOf(project, resource) };
}

// Types that no command of the Go project wrote.
function isElsewhere(resource: ProjectResource): boolean {
  return resource.core !== true && (resource.external === true || resource.api === undefined);
}

function isDefined(go: GoProject, resource: ProjectResource): boolean {
  const group = qualifiedGroupOf(resource);
  return go.crds.some((crd) => crd.group === group && crd.kind === resource.kind);
}

// Where `import crd --external` writes types to, so that it replaces the placeholders.
function externalTypesOf(resource: ProjectResource): string {
  return `api/${qualifiedGroupOf(resource)}/${resource.version}/${resource.kind.toLowerCase()}_types.ts`;
}

function openDefinition(resource: ProjectResource): CrdFacts {
  const { kind, version } = resource;
  const group = qualifiedGroupOf(resource);
  const plural = resource.plural ?? pluralOf(kind);
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const openAPIV3Schema = {
    description: `${kind} is defined elsewhere; import its definition for types of its fields.`,
    type: "object",
    properties: { ...TYPE_META_PROPERTIES, metadata: { type: "object" }, spec: open, status: open },
  };
  const names = { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` };
  const versions = [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }];
  const document = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, names, scope: "Namespaced", versions },
  };
  const [facts] = readCrds([document], "PROJECT");
  return facts as CrdFacts;
}

const RESOURCE_KEYS = [
  "api",
  "controller",
  "controllers",
  "core",
  "domain",
  "external",
  "group",
  "kind",
  "module",
  "path",
  "plural",
  "version",
  "webhooks",
] as const satisfies readonly (keyof ProjectResource)[];

const PROJECT_KEYS: readonly string[] = [
  "cliVersion",
  "domain",
  "layout",
  "multigroup",
  "namespaced",
  "plugins",
  "projectName",
  "repo",
  "resources",
  "version",
];

const API_KEYS: readonly string[] = ["crdVersion", "namespaced", "ssa"];
const WEBHOOK_KEYS: readonly string[] = [
  "conversion",
  "defaulting",
  "defaultingPath",
  "spoke",
  "validation",
  "validationPath",
  "webhookVersion",
];

function onlyKnown(resource: ProjectResource, keys: readonly string[]): ProjectResource {
  const kept = Object.entries(resource).filter(([key]) => keys.includes(key));
  return Object.fromEntries(kept) as unknown as ProjectResource;
}

function unknownKeys(project: ProjectConfig): readonly NotMapped[] {
  const why = "unknown key of PROJECT version 3; it was omitted";
  const unknown = (value: object | undefined, known: readonly string[], place: string): readonly NotMapped[] =>
    Object.keys(value ?? {})
      .filter((key) => !known.includes(key))
      .map((key) => ({ what: `PROJECT: ${place}${key}`, why }));
  return [
    ...unknown(project, PROJECT_KEYS, ""),
    ...(project.resources ?? []).flatMap((resource, index) => [
      ...unknown(resource, RESOURCE_KEYS, `resources[${index}].`),
      ...unknown(resource.api, API_KEYS, `resources[${index}].api.`),
      ...unknown(resource.webhooks, WEBHOOK_KEYS, `resources[${index}].webhooks.`),
    ]),
  ];
}

function layoutNotes(layout: readonly string[]): readonly NotMapped[] {
  return layout
    .filter((key) => !isKnownLayoutKey(key))
    .map((key) => ({
      what: `PROJECT: layout ${key}`,
      why: "a plugin that is not supported for imported projects",
    }));
}

const DEPLOY_IMAGE = "deploy-image.ts.kubescaffold.dev/v1-alpha";

const PLUGINS: Readonly<Record<string, string>> = {
  "autoupdate.kubebuilder.io/v1-alpha": "autoupdate.kubescaffold.dev/v1-alpha",
  "deploy-image.go.kubebuilder.io/v1-alpha": DEPLOY_IMAGE,
  "grafana.kubebuilder.io/v1-alpha": "grafana.kubescaffold.dev/v1-alpha",
  "helm.kubebuilder.io/v2-alpha": "helm.kubescaffold.dev/v2-alpha",
};

function mapPlugins(
  plugins: Readonly<Record<string, unknown>>,
  hasPlugin: (key: string) => boolean,
): { readonly data: Readonly<Record<string, unknown>>; readonly notMapped: readonly NotMapped[] } {
  const data: Record<string, unknown> = {};
  const notMapped: NotMapped[] = [];
  for (const [key, value] of Object.entries(plugins)) {
    const own = PLUGINS[key];
    const what = `PROJECT: plugins ${key}`;
    const isKnown = own !== undefined && hasPlugin(own);
    if (own === DEPLOY_IMAGE && isKnown) {
      notMapped.push({ what, why: deployImageCommands(value) });
      continue;
    }
    if (isKnown) data[own] = value;
    notMapped.push({ what, why: isKnown ? filesOf(own) : noPlugin(key, own) });
  }
  return { data, notMapped };
}

function filesOf(own: string): string {
  return `its data is recorded as ${own}; \`npx scaffold edit --plugins=${own}\` writes its files`;
}

const IMAGE_FLAGS = [
  ["image", "image"],
  ["containerCommand", "image-container-command"],
  ["containerPort", "image-container-port"],
  ["runAsUser", "run-as-user"],
] as const;

// Its data would say that its files are there; the command that writes them keeps it too.
function deployImageCommands(data: unknown): string {
  const { resources } = (data ?? {}) as { readonly resources?: unknown };
  const commands = (Array.isArray(resources) ? resources : []).map((each) => {
    const { group, version, kind, options } = (each ?? {}) as DeployedResource;
    const given = (typeof options === "object" && options !== null ? options : {}) as Readonly<Record<string, unknown>>;
    const flags = IMAGE_FLAGS.flatMap(([option, flag]) => {
      const value = given[option];
      return typeof value === "string" && value !== "" ? [` --${flag}=${shellWord(value)}`] : [];
    });
    const gvk = `--group ${bareWord(group)} --version ${bareWord(version)} --kind ${bareWord(kind)}`;
    return `\`npx scaffold create api ${gvk}${flags.join("")} --plugins=deploy-image/v1-alpha --force\``;
  });
  const why = "its data was omitted, because its controllers are code to translate";
  return commands.length === 0
    ? why
    : `${why}; or scaffold a complete controller with its own types by ${commands.join(" and ")}`;
}

function bareWord(value: unknown): string {
  const text = textOf(value);
  return /^[\w.-]*$/u.test(text) ? text : shellWord(text);
}

// One word for a shell, whatever is in it, and no end of the code on the page.
function shellWord(text: string): string {
  return `'${lineComment(text)
    .replaceAll("`", " ")
    .replaceAll("'", String.raw`'\''`)}'`;
}

interface DeployedResource {
  readonly group?: unknown;
  readonly version?: unknown;
  readonly kind?: unknown;
  readonly options?: unknown;
}

function noPlugin(key: string, own: string | undefined): string {
  if (own !== undefined) return `the plugin ${own} is not available; its data was omitted`;
  if (/\.sdk\.operatorframework\.io\//u.test(key)) return "a plugin of operator-sdk; its data was omitted";
  return key.startsWith("helm.kubebuilder.io/")
    ? "this version of the plugin is obsolete; its data was omitted"
    : "an unknown plugin; its data was omitted";
}

function resourceNotes(go: GoProject, resource: ProjectResource): readonly NotMapped[] {
  const { kind, version } = resource;
  const name = `${kind} ${version} of ${qualifiedGroupOf(resource) || "the core group"}`;
  const notes: NotMapped[] = [];
  if (isElsewhere(resource) && !isDefined(go, resource)) {
    const source = resource.module ?? resource.path ?? "somewhere else";
    const why = `its types come from ${source}: ${externalTypesOf(resource)} allows any field until \`npx scaffold import crd <its definition> --external --force\` replaces it`;
    notes.push({ what: name, why });
  }
  if (resource.module !== undefined) {
    notes.push({ what: `PROJECT: module ${resource.module}`, why: `a Go module; ${name} needs none in TypeScript` });
  }
  if (resource.api?.crdVersion !== undefined && resource.api.crdVersion !== "v1") {
    notes.push({
      what: `PROJECT: crdVersion ${resource.api.crdVersion} of ${name}`,
      why: "API servers support only v1; v1 is generated",
    });
  }
  if (resource.webhooks?.conversion === true) {
    notes.push({
      what: `conversion of ${name}`,
      why: "the conversion functions are code to translate",
    });
  }
  return [...notes, ...missingDefinition(go, resource, name)];
}

function missingDefinition(go: GoProject, resource: ProjectResource, name: string): readonly NotMapped[] {
  if (resource.api === undefined || resource.core === true || resource.external === true) return [];
  const group = qualifiedGroupOf(resource);
  const crd = go.crds.find((each) => each.group === group && each.kind === resource.kind);
  if (crd?.versions.some((each) => each.name === resource.version) === true) return [];
  return [
    {
      what: `types of ${name}`,
      why: "config/crd/bases has no definition of them, so the file holds an example; run `make manifests` in the Go project and import again",
    },
  ];
}
