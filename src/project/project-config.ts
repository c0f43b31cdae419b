import { isRecord } from "@kubescaffold/platform";

/** The content of a PROJECT file, version 3. Keys this program does not know stay in the data and are written back. */
export interface ProjectConfig {
  /** The version of the program that scaffolded the project. */
  readonly cliVersion?: string;
  /** The domain of the API groups. */
  readonly domain?: string;
  /** The keys of the plugins that all commands run. */
  readonly layout: readonly string[];
  /** Whether each group has its own folders. */
  readonly multigroup?: boolean;
  /** Whether the manager watches only its own namespace. */
  readonly namespaced?: boolean;
  /** The data of plugins, by their keys. */
  readonly plugins?: Readonly<Record<string, unknown>>;
  /** The name, which prefixes the objects of the operator. */
  readonly projectName?: string;
  /** The name of the package. */
  readonly repo?: string;
  /** The APIs, controllers, and webhooks. */
  readonly resources?: readonly ProjectResource[];
  /** The version of the format: `3`. */
  readonly version: string;
}

/** One entry of `resources`: what the project knows and holds of a group, version and kind. */
export interface ProjectResource {
  /** The CRD; missing for types of other projects and of Kubernetes. */
  readonly api?: ProjectApi;
  /** Whether there is a controller with the name of the kind. */
  readonly controller?: boolean;
  /** Controllers by name, if there are several, or one with another name. */
  readonly controllers?: readonly { readonly name: string }[];
  /** Whether the kind is built into Kubernetes. */
  readonly core?: boolean;
  /** The domain of the group, if it differs from the project's, or is recorded. */
  readonly domain?: string;
  /** Whether another project defines the types. */
  readonly external?: boolean;
  /** The group without the domain. */
  readonly group?: string;
  /** The kind, such as `Guestbook`. */
  readonly kind: string;
  /** The npm package of external types. */
  readonly module?: string;
  /** The import path of the types. */
  readonly path?: string;
  /** The plural, if it is not the regular one. */
  readonly plural?: string;
  /** The version, such as `v1`. */
  readonly version: string;
  /** The webhooks of the kind. */
  readonly webhooks?: ProjectWebhooks;
}

/** The CRD of a resource. */
export interface ProjectApi {
  /** The version of the CRD's API: `v1`. */
  readonly crdVersion?: string;
  /** Whether objects are in namespaces. */
  readonly namespaced?: boolean;
  /** Whether apply configurations are generated. */
  readonly ssa?: boolean;
}

/** The webhooks of a resource. */
export interface ProjectWebhooks {
  /** Whether the version is the hub of a conversion. */
  readonly conversion?: boolean;
  /** Whether there is a defaulting webhook. */
  readonly defaulting?: boolean;
  /** The name of the defaulting webhook, if it is not the default. */
  readonly defaultingName?: string;
  /** The path of the defaulting webhook, if it is not the default. */
  readonly defaultingPath?: string;
  /** The versions that are converted to the hub. */
  readonly spoke?: readonly string[];
  /** Whether there is a validating webhook. */
  readonly validation?: boolean;
  /** The name of the validating webhook, if it is not the default. */
  readonly validationName?: string;
  /** The path of the validating webhook, if it is not the default. */
  readonly validationPath?: string;
  /** The version of the webhook configuration's API: `v1`. */
  readonly webhookVersion?: string;
}

/** The key of the section of `plugins` with what the default plugin and its generators record. */
export const BASE_SECTION = "base.ts.kubescaffold.dev/v1";

/** The name of the file that keeps the configuration, in the root folder of a project. */
export const PROJECT_FILE = "PROJECT";

/** Returns the group of a resource as clusters know it: `webapp.my.domain`, `apps`, or empty for the core group. */
export function qualifiedGroupOf(resource: Pick<ProjectResource, "core" | "domain" | "group">): string {
  const group = resource.core === true && resource.group === "core" ? "" : (resource.group ?? "");
  return [group, resource.domain ?? ""].filter((part) => part !== "").join(".");
}

/** Finds the entry of a group, version and kind; a domain that is omitted matches any. */
export function findResource(
  project: ProjectConfig,
  wanted: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly domain?: string | undefined;
  },
): ProjectResource | undefined {
  return (project.resources ?? []).find(
    (each) =>
      (each.group ?? "") === wanted.group &&
      each.version === wanted.version &&
      each.kind === wanted.kind &&
      (wanted.domain === undefined || (each.domain ?? "") === wanted.domain),
  );
}

/** Returns the versions of a kind with types in the project, the last created first. */
export function versionsWithTypes(
  project: ProjectConfig,
  { group, kind }: { readonly group: string; readonly kind: string },
): readonly ProjectResource[] {
  return (project.resources ?? [])
    .filter((each) => each.api !== undefined && (each.group ?? "") === group && each.kind === kind)
    .toReversed();
}

/** Returns the data of the section of the default plugin; none where it is absent or malformed. */
export function baseSection({ plugins }: ProjectConfig): Readonly<Record<string, unknown>> {
  const section = plugins?.[BASE_SECTION];
  return isRecord(section) ? section : {};
}

/** Returns the project with other data in that section, which goes when there is none. */
export function withBaseSection(
  { plugins, ...others }: ProjectConfig,
  data: Readonly<Record<string, unknown>>,
): ProjectConfig {
  const { [BASE_SECTION]: _, ...sections } = plugins ?? {};
  const all = Object.keys(data).length === 0 ? sections : { ...sections, [BASE_SECTION]: data };
  return Object.keys(all).length === 0 ? others : { ...others, plugins: all };
}

/** Returns the project with the resource added, or in place of the entry of the same identity. */
export function withResource(project: ProjectConfig, resource: ProjectResource): ProjectConfig {
  const resources = project.resources ?? [];
  const index = resources.findIndex((each) => identityOf(each) === identityOf(resource));
  const next = index < 0 ? [...resources, resource] : resources.with(index, resource);
  return { ...project, resources: next };
}

function identityOf(resource: ProjectResource): string {
  return JSON.stringify([resource.group ?? "", resource.domain ?? "", resource.version, resource.kind]);
}
