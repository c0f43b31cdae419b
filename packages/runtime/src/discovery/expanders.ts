import type { GroupResource, GroupVersion } from "@kubescaffold/k8s";
import { groupResourceToString } from "@kubescaffold/k8s";

import type { ApiResource, DiscoveryClient } from "./discovery-client.ts";
import { isNoMatch } from "./errors.ts";
import type { PartialResource } from "./partial-resource.ts";
import type { RestMapper } from "./rest-mapping.ts";

/** Options of {@link createShortcutExpander}. */
export interface ShortcutExpanderOptions {
  /** Receives a message if a short name also matches a resource of a group with lower priority. Default: no messages. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Wraps a mapper so that it accepts short names of the server's resources: `deploy` for `deployments`.
 *
 * Guarantees: a name of a resource is never a short name of another; the group with the highest priority of the server takes precedence. Runs discovery for each call:
 * use a cached discovery client.
 *
 * client-go: restmapper.NewShortcutExpander
 */
export function createShortcutExpander(
  mapper: RestMapper,
  discovery: DiscoveryClient,
  options: ShortcutExpanderOptions = {},
): RestMapper {
  const expand = async (resource: PartialResource): Promise<PartialResource> =>
    expandShortcut(resource, await servedResources(discovery), options);
  return {
    restMapping: (gvk) => mapper.restMapping(gvk),
    restMappings: (groupKind) => mapper.restMappings(groupKind),
    kindFor: async (resource) => {
      try {
        return await mapper.kindFor(await expand(resource));
      } catch (error) {
        // The mapper may have run discovery again, which also updates the short names.
        if (!isNoMatch(error)) throw error;
        return mapper.kindFor(await expand(resource));
      }
    },
    kindsFor: async (resource) => mapper.kindsFor(await expand(resource)),
    resourceFor: async (resource) => mapper.resourceFor(await expand(resource)),
    resourcesFor: async (resource) => mapper.resourcesFor(await expand(resource)),
    singularOf: async (resource) => mapper.singularOf((await expand({ resource })).resource),
    reset: () => mapper.reset(),
  };
}

/**
 * Expands categories such as `all` to resources.
 *
 * client-go: restmapper.CategoryExpander
 */
export interface CategoryExpander {
  /** Returns the resources of a category; undefined if there is no such category. */
  expand(category: string): Promise<readonly GroupResource[] | undefined>;
}

/**
 * Creates an expander of the categories in the server's discovery.
 *
 * client-go: restmapper.NewDiscoveryCategoryExpander
 */
export function createCategoryExpander(discovery: DiscoveryClient): CategoryExpander {
  return {
    expand: async (category) => {
      const served = await servedResources(discovery);
      const found = served.filter(({ resource }) => resource.categories.includes(category));
      return found.length === 0 ? undefined : unique(found.map((each) => groupResourceOf(each)));
    },
  };
}

/**
 * Creates an expander of fixed categories.
 *
 * client-go: restmapper.SimpleCategoryExpander
 */
export function createSimpleCategoryExpander(
  categories: ReadonlyMap<string, readonly GroupResource[]>,
): CategoryExpander {
  return { expand: async (category) => categories.get(category) };
}

/**
 * Combines expanders: a category contains the resources of all of them, without repetitions.
 *
 * client-go: restmapper.UnionCategoryExpander
 */
export function createUnionCategoryExpander(expanders: readonly CategoryExpander[]): CategoryExpander {
  return {
    expand: async (category) => {
      const found = await Promise.all(expanders.map((expander) => expander.expand(category)));
      return found.every((each) => each === undefined) ? undefined : unique(found.flatMap((each) => each ?? []));
    },
  };
}

interface ServedResource {
  readonly groupVersion: GroupVersion;
  readonly resource: ApiResource;
}

// Group versions whose discovery fails are skipped, such as those of an aggregated server that is down.
async function servedResources(discovery: DiscoveryClient): Promise<readonly ServedResource[]> {
  const groups = await discovery.groups();
  const lists = groups.flatMap(({ name, versions }) =>
    versions.map(async ({ version, resources }) => {
      const groupVersion = { group: name, version };
      const served = resources ?? (await discovery.resources(groupVersion).catch(() => []));
      return served.map((resource) => ({ groupVersion, resource }));
    }),
  );
  return (await Promise.all(lists)).flat();
}

function groupResourceOf({ groupVersion, resource }: ServedResource): GroupResource {
  return { group: groupVersion.group, resource: resource.name };
}

function expandShortcut(
  wanted: PartialResource,
  served: readonly ServedResource[],
  { onWarning }: ShortcutExpanderOptions,
): PartialResource {
  const { group } = wanted;
  const isInGroup = ({ groupVersion }: ServedResource): boolean => group === undefined || groupVersion.group === group;
  const isName = ({ resource }: ServedResource): boolean =>
    resource.name === wanted.resource || resource.singularName === wanted.resource;
  const isShortName = ({ resource }: ServedResource): boolean => resource.shortNames.includes(wanted.resource);
  if (wanted.resource === "" || served.some((each) => isInGroup(each) && isName(each))) {
    return wanted;
  }
  const [first, ...others] = unique(served.filter((each) => isInGroup(each) && isShortName(each)).map(groupResourceOf));
  if (first !== undefined) {
    for (const other of others) {
      const name = groupResourceToString(other);
      onWarning?.(`the short name ${wanted.resource} also matches ${name}, which has a lower priority`);
    }
    return first;
  }
  const prefixed = served.find(
    (each) => group !== undefined && group !== "" && each.groupVersion.group.startsWith(group) && isShortName(each),
  );
  return prefixed === undefined ? wanted : { ...wanted, ...groupResourceOf(prefixed) };
}

function unique(resources: readonly GroupResource[]): readonly GroupResource[] {
  return [...new Map(resources.map((each) => [groupResourceToString(each), each])).values()];
}
