import {
  apiVersionOf,
  type GroupKind,
  groupKindToString,
  type GroupResource,
  groupResourceToString,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  isNotFound,
  ScaffoldError,
} from "@kubescaffold/k8s";

import { withoutCallScope } from "../log/call-scope.ts";
import { messageOf } from "../log/logger.ts";
import type { ApiResource, DiscoveredGroup, DiscoveryClient } from "./discovery-client.ts";

/** The scope of a kind. */
export type Scope = "namespaced" | "cluster";

/**
 * The endpoint of a kind.
 *
 * apimachinery: pkg/api/meta.RESTMapping
 */
export interface RestMapping {
  /** The group, version, and kind. */
  readonly gvk: GroupVersionKind;
  /** The group, version, and resource. */
  readonly gvr: GroupVersionResource;
  /** Whether the objects are namespaced. */
  readonly scope: Scope;
}

/**
 * Maps kinds to resources and resources to kinds.
 *
 * Fails: `NoMatchError` when the server does not serve the kind, after a repeated discovery.
 *
 * apimachinery: pkg/api/meta.RESTMapper
 */
export interface RestMapper {
  /** Returns the endpoint of exactly this version of a kind. */
  restMapping(gvk: GroupVersionKind): Promise<RestMapping>;
  /** Returns the endpoints of a kind in all versions, the server's preferred version first. */
  restMappings(groupKind: GroupKind): Promise<readonly RestMapping[]>;
  /** Returns the kind of a resource, in the server's preferred version. */
  kindFor(resource: GroupResource | GroupVersionResource): Promise<GroupVersionKind>;
  /** Clears the cached discovery. */
  reset(): void;
}

/**
 * Creates a mapper that runs discovery on first use, and again for an unknown kind.
 *
 * Guarantees: a kind installed later is found without a restart; concurrent calls share one request.
 *
 * controller-runtime: pkg/client/apiutil.NewDynamicRESTMapper
 */
export function createRestMapper(discovery: DiscoveryClient): RestMapper {
  return new LazyRestMapper(discovery);
}

/** The discovered versions of a group, the preferred one first, with mappings where they were loaded. */
type KnownGroup = ReadonlyMap<string, readonly RestMapping[] | undefined>;

class LazyRestMapper implements RestMapper {
  readonly #discovery: DiscoveryClient;
  readonly #groups = new Map<string, KnownGroup>();
  readonly #underWay = new Map<string, Promise<void>>();
  #hasGroups = false;

  constructor(discovery: DiscoveryClient) {
    this.#discovery = discovery;
  }

  async restMapping(gvk: GroupVersionKind): Promise<RestMapping> {
    const find = (): RestMapping | undefined =>
      this.#groups
        .get(gvk.group)
        ?.get(gvk.version)
        ?.find((mapping) => mapping.gvk.kind === gvk.kind);
    const found = await this.#findOrLearn(find, () => this.#learnVersion(gvk));
    if (found === undefined) {
      throw new NoMatchError(`kind ${gvk.kind} in ${apiVersionOf(gvk)}`);
    }
    return found;
  }

  async restMappings(groupKind: GroupKind): Promise<readonly RestMapping[]> {
    const found = await this.#findInGroup(groupKind.group, (mapping) => mapping.gvk.kind === groupKind.kind);
    if (found.length === 0) {
      throw new NoMatchError(`kind ${groupKindToString(groupKind)}`);
    }
    return found;
  }

  async kindFor(resource: GroupResource | GroupVersionResource): Promise<GroupVersionKind> {
    const version = "version" in resource ? resource.version : undefined;
    const [found] = await this.#findInGroup(
      resource.group,
      ({ gvr }) => gvr.resource === resource.resource && (version === undefined || version === gvr.version),
    );
    if (found === undefined) {
      throw new NoMatchError(`resource ${groupResourceToString(resource)}`);
    }
    return found.gvk;
  }

  reset(): void {
    this.#groups.clear();
    this.#hasGroups = false;
  }

  async #findInGroup(group: string, matches: (mapping: RestMapping) => boolean): Promise<readonly RestMapping[]> {
    const find = (): readonly RestMapping[] | undefined => {
      const versions = [...(this.#groups.get(group)?.values() ?? [])];
      const found = versions.flat().filter((mapping) => mapping !== undefined && matches(mapping)) as RestMapping[];
      const isComplete = versions.every((mappings) => mappings !== undefined);
      return isComplete && found.length > 0 ? found : undefined;
    };
    return (await this.#findOrLearn(find, () => this.#learnGroup(group))) ?? [];
  }

  // Searches the cached discovery, then the discovery of all groups, then that of the single group or version.
  async #findOrLearn<T>(find: () => T | undefined, learnMore: () => Promise<void>): Promise<T | undefined> {
    const known = find();
    if (known !== undefined) {
      return known;
    }
    if (!this.#hasGroups) {
      await this.#once("groups", () => this.#learnGroups());
      const learned = find();
      if (learned !== undefined) {
        return learned;
      }
    }
    await learnMore();
    return find();
  }

  async #learnGroups(): Promise<void> {
    const groups = await this.#discovery.groups();
    for (const group of groups) {
      this.#groups.set(group.name, knownGroup(group));
    }
    this.#hasGroups = true;
  }

  async #learnVersion(groupVersion: GroupVersion): Promise<void> {
    await this.#once(apiVersionOf(groupVersion), async () => {
      const resources = await this.#resources(groupVersion);
      const versions = new Map(this.#groups.get(groupVersion.group));
      if (resources === undefined) {
        versions.delete(groupVersion.version);
      } else {
        versions.set(groupVersion.version, mappingsOf(groupVersion, resources));
      }
      this.#groups.set(groupVersion.group, versions);
    });
  }

  async #learnGroup(name: string): Promise<void> {
    await this.#once(`group ${name}`, async () => {
      const group = await this.#discovery.group(name).catch((error: unknown) => absentIfNotFound(error));
      if (group === undefined) {
        this.#groups.delete(name);
        return;
      }
      const versions = await Promise.all(
        group.versions.map(async ({ version }) => [version, await this.#mappings({ group: name, version })] as const),
      );
      this.#groups.set(name, new Map(versions));
    });
  }

  async #mappings(groupVersion: GroupVersion): Promise<readonly RestMapping[]> {
    return mappingsOf(groupVersion, (await this.#resources(groupVersion)) ?? []);
  }

  async #resources(groupVersion: GroupVersion): Promise<readonly ApiResource[] | undefined> {
    try {
      return await this.#discovery.resources(groupVersion).catch((error: unknown) => absentIfNotFound(error));
    } catch (error) {
      throw new DiscoveryError(new Map([[apiVersionOf(groupVersion), error]]));
    }
  }

  async #once(key: string, learn: () => Promise<void>): Promise<void> {
    const underWay =
      this.#underWay.get(key) ??
      // Others share the request, so it must not end with the reconcile that comes first.
      withoutCallScope(learn).finally(() => {
        this.#underWay.delete(key);
      });
    this.#underWay.set(key, underWay);
    await underWay;
  }
}

function absentIfNotFound(error: unknown): undefined {
  if (!isNotFound(error)) {
    throw error;
  }
}

function knownGroup({ name, versions }: DiscoveredGroup): KnownGroup {
  return new Map(
    versions.map(({ version, resources }) => [
      version,
      resources === undefined ? undefined : mappingsOf({ group: name, version }, resources),
    ]),
  );
}

function mappingsOf({ group, version }: GroupVersion, resources: readonly ApiResource[]): readonly RestMapping[] {
  return resources
    .filter(({ name, kind }) => !name.includes("/") && kind !== "")
    .map(({ name, kind, namespaced }) => ({
      gvk: { group, version, kind },
      gvr: { group, version, resource: name },
      scope: namespaced ? "namespaced" : "cluster",
    }));
}

/**
 * Thrown when the API server does not serve a kind or resource, even after discovery was refreshed.
 *
 * Fix: Install its CustomResourceDefinition, or check group, version, and kind.
 *
 * apimachinery: pkg/api/meta.NoKindMatchError
 */
export class NoMatchError extends ScaffoldError {
  readonly code = "CLIENT_NO_MATCH";

  constructor(what: string) {
    super(`the server does not serve ${what}`, {
      hint: "install its CustomResourceDefinition, or check the group, version, and kind",
    });
  }
}

/** Reports whether an error means that the server does not serve the kind. */
export function isNoMatch(error: unknown): error is NoMatchError {
  return error instanceof NoMatchError;
}

/**
 * Thrown when the discovery of the resources in a group version failed.
 *
 * Fix: Check the APIService of the group and its server.
 *
 * controller-runtime: pkg/client/apiutil.ErrResourceDiscoveryFailed
 */
export class DiscoveryError extends ScaffoldError {
  readonly code = "CLIENT_DISCOVERY";
  /** The failures by `group/version`. */
  readonly failures: ReadonlyMap<string, unknown>;

  constructor(failures: ReadonlyMap<string, unknown>) {
    const [first] = failures.values();
    const list = [...failures].map(([groupVersion, error]) => `${groupVersion} (${messageOf(error)})`);
    super(`cannot discover the resources of ${list.join(", ")}`, {
      hint: "check the APIService of the group and the server behind it",
      cause: first,
    });
    this.failures = failures;
  }
}
