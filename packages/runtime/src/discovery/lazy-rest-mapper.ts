import {
  apiVersionOf,
  groupKindToString,
  groupResourceToString,
  isNotFound,
  type GroupKind,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
} from "@kubescaffold/k8s";

import type { ApiResource, DiscoveredGroup, DiscoveryClient } from "./discovery-client.ts";
import { DiscoveryError, NoMatchError } from "./errors.ts";
import type { RestMapper, RestMapping } from "./rest-mapper.ts";

/**
 * Creates a mapper that asks the server when it is first asked, and again when it does not know a kind.
 *
 * Guarantees: a kind installed later is found without a restart; questions at the same time share one request.
 */
export function createRestMapper(discovery: DiscoveryClient): RestMapper {
  return new LazyRestMapper(discovery);
}

/** What is known of a group: its versions, preferred first, with mappings where they were loaded. */
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

  // Looks at what is known, then at what the server tells of everything, then at what it tells of the one thing.
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
      learn().finally(() => {
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
