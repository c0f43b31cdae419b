/** The content of a PROJECT file, version 3. Keys this program does not know stay in the data and are written back. */
export interface ProjectConfig {
  readonly cliVersion?: string;
  readonly domain?: string;
  readonly layout: readonly string[];
  readonly multigroup?: boolean;
  readonly namespaced?: boolean;
  readonly plugins?: Readonly<Record<string, unknown>>;
  readonly projectName?: string;
  readonly repo?: string;
  readonly resources?: readonly ProjectResource[];
  readonly version: string;
}

/** One entry of `resources`: what the project knows and holds of a group, version and kind. */
export interface ProjectResource {
  readonly api?: ProjectApi;
  readonly controller?: boolean;
  readonly controllers?: readonly { readonly name: string }[];
  readonly core?: boolean;
  readonly domain?: string;
  readonly external?: boolean;
  readonly group?: string;
  readonly kind: string;
  readonly module?: string;
  readonly path?: string;
  readonly plural?: string;
  readonly version: string;
  readonly webhooks?: ProjectWebhooks;
}

/** The CRD of a resource. */
export interface ProjectApi {
  readonly crdVersion?: string;
  readonly namespaced?: boolean;
  readonly ssa?: boolean;
}

/** The webhooks of a resource. */
export interface ProjectWebhooks {
  readonly conversion?: boolean;
  readonly defaulting?: boolean;
  readonly defaultingName?: string;
  readonly defaultingPath?: string;
  readonly spoke?: readonly string[];
  readonly validation?: boolean;
  readonly validationName?: string;
  readonly validationPath?: string;
  readonly webhookVersion?: string;
}

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
