import {
  apiVersionOf,
  type GroupKind,
  groupKindToString,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  isNotFound,
} from "@kubescaffold/k8s";

import { withoutCallScope } from "../log/call-scope.ts";
import { isCachedDiscovery } from "./cached-discovery.ts";
import type { ApiResource, DiscoveredGroup, DiscoveryClient } from "./discovery-client.ts";
import { DiscoveryError, NoMatchError } from "./errors.ts";
import {
  matchingResources,
  type NamedMapping,
  type PartialResource,
  partialResourceToString,
} from "./partial-resource.ts";
import type { RestMapper, RestMapping } from "./rest-mapping.ts";

/**
 * Creates a mapper that runs discovery on first use, and again for an unknown kind.
 *
 * Guarantees: a kind installed later is found without a restart; concurrent calls share one request, but a kind is missing only if a request that began after
 * the call does not name it.
 *
 * controller-runtime: pkg/client/apiutil.NewDynamicRESTMapper
 */
export function createRestMapper(discovery: DiscoveryClient): RestMapper {
  return new LazyRestMapper(discovery);
}

/** The discovered versions of a group, the preferred one first, with mappings where they were loaded. */
type KnownGroup = ReadonlyMap<string, readonly KnownMapping[] | undefined>;

interface KnownMapping extends NamedMapping {
  readonly mapping: RestMapping;
}

class LazyRestMapper implements RestMapper {
  readonly #discovery: DiscoveryClient;
  readonly #groups = new Map<string, KnownGroup>();
  readonly #underWay = new Map<string, Promise<void>>();
  #hasGroups = false;

  constructor(discovery: DiscoveryClient) {
    this.#discovery = discovery;
  }

  async restMapping(gvk: GroupVersionKind): Promise<RestMapping> {
    const find = (): KnownMapping | undefined =>
      this.#groups
        .get(gvk.group)
        ?.get(gvk.version)
        ?.find((known) => known.gvk.kind === gvk.kind);
    const found = await this.#findOrLearn(find, () => this.#learnVersion(gvk));
    if (found === undefined) {
      throw new NoMatchError(`kind ${gvk.kind} in ${apiVersionOf(gvk)}`);
    }
    return found.mapping;
  }

  async restMappings(groupKind: GroupKind): Promise<readonly RestMapping[]> {
    const found = await this.#findInGroup(groupKind.group, (known) =>
      known.filter(({ gvk }) => gvk.kind === groupKind.kind),
    );
    if (found.length === 0) {
      throw new NoMatchError(`kind ${groupKindToString(groupKind)}`);
    }
    return found.map(({ mapping }) => mapping);
  }

  async kindFor(resource: PartialResource): Promise<GroupVersionKind> {
    return (await this.#preferred(resource)).gvk;
  }

  async kindsFor(resource: PartialResource): Promise<readonly GroupVersionKind[]> {
    return (await this.#matching(resource)).map(({ gvk }) => gvk);
  }

  async resourceFor(resource: PartialResource): Promise<GroupVersionResource> {
    return (await this.#preferred(resource)).gvr;
  }

  async resourcesFor(resource: PartialResource): Promise<readonly GroupVersionResource[]> {
    return (await this.#matching(resource)).map(({ gvr }) => gvr);
  }

  async singularOf(resource: string): Promise<string> {
    const { singular, gvk } = await this.#preferred({ resource });
    return singular === "" ? gvk.kind.toLowerCase() : singular;
  }

  reset(): void {
    this.#groups.clear();
    this.#hasGroups = false;
    if (isCachedDiscovery(this.#discovery)) {
      this.#discovery.invalidate();
    }
  }

  // Groups and versions are in the order of the server, whose preferences they are.
  async #preferred(resource: PartialResource): Promise<KnownMapping> {
    const [first] = await this.#matching(resource);
    if (first === undefined) {
      throw new NoMatchError(`resource ${partialResourceToString(resource)}`);
    }
    return first;
  }

  async #matching(resource: PartialResource): Promise<readonly KnownMapping[]> {
    const inGroup =
      resource.group === undefined
        ? []
        : await this.#findInGroup(resource.group, (known) => matchingResources(known, resource));
    const found = inGroup.length > 0 || resource.group === "" ? inGroup : await this.#matchingAnywhere(resource);
    if (found.length === 0) {
      throw new NoMatchError(`resource ${partialResourceToString(resource)}`);
    }
    return found;
  }

  async #matchingAnywhere(resource: PartialResource): Promise<readonly KnownMapping[]> {
    const find = (): readonly KnownMapping[] => matchingResources(this.#allMappings(), resource);
    const wasComplete = this.#hasGroups && this.#missingVersions().length === 0;
    const known = wasComplete ? find() : [];
    if (known.length > 0) {
      return known;
    }
    const first = await this.#learnAll(wasComplete);
    const isFinal = find().length > 0 || !first.isShared;
    const { failures } = isFinal ? first : await this.#learnAll(true);
    const found = find();
    if (found.length === 0 && failures.size > 0) {
      throw new DiscoveryError(failures);
    }
    return found;
  }

  #allMappings(): readonly KnownMapping[] {
    return [...this.#groups.values()].flatMap((versions) => [...versions.values()].flatMap((known) => known ?? []));
  }

  #missingVersions(): readonly GroupVersion[] {
    return [...this.#groups].flatMap(([group, versions]) =>
      [...versions].filter(([, known]) => known === undefined).map(([version]) => ({ group, version })),
    );
  }

  // Returns the errors of group versions that cannot be discovered, such as those of a server that is down; the others are known.
  async #learnAll(
    again: boolean,
  ): Promise<{ readonly failures: ReadonlyMap<string, unknown>; readonly isShared: boolean }> {
    const isNeeded = again || !this.#hasGroups;
    const isShared = isNeeded && (await this.#once("groups", () => this.#learnGroups()));
    const failures = new Map<string, unknown>();
    await Promise.all(
      this.#missingVersions().map((missing) =>
        this.#learnVersion(missing).catch((error: unknown) => {
          failures.set(apiVersionOf(missing), error instanceof DiscoveryError ? error.cause : error);
        }),
      ),
    );
    return { failures, isShared };
  }

  async #findInGroup(
    group: string,
    select: (known: readonly KnownMapping[]) => readonly KnownMapping[],
  ): Promise<readonly KnownMapping[]> {
    const find = (): readonly KnownMapping[] | undefined => {
      const versions = [...(this.#groups.get(group)?.values() ?? [])];
      const found = select(versions.flatMap((known) => known ?? []));
      const isComplete = versions.every((known) => known !== undefined);
      return isComplete && found.length > 0 ? found : undefined;
    };
    return (await this.#findOrLearn(find, () => this.#learnGroup(group))) ?? [];
  }

  // Searches the cached discovery, then the discovery of all groups, then that of the single group or version.
  async #findOrLearn<T>(find: () => T | undefined, learnMore: () => Promise<boolean>): Promise<T | undefined> {
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
    const isShared = await learnMore();
    // The server may have answered the shared request before the kind was installed.
    if (isShared && find() === undefined) await learnMore();
    return find() ?? this.#findInFresh(find, learnMore);
  }

  // A cache of discovery may be older than the kind.
  async #findInFresh<T>(find: () => T | undefined, learnMore: () => Promise<unknown>): Promise<T | undefined> {
    if (!isCachedDiscovery(this.#discovery) || this.#discovery.isFresh()) {
      return undefined;
    }
    this.reset();
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

  async #learnVersion(groupVersion: GroupVersion): Promise<boolean> {
    return await this.#once(apiVersionOf(groupVersion), async () => {
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

  async #learnGroup(name: string): Promise<boolean> {
    return await this.#once(`group ${name}`, async () => {
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

  async #mappings(groupVersion: GroupVersion): Promise<readonly KnownMapping[]> {
    return mappingsOf(groupVersion, (await this.#resources(groupVersion)) ?? []);
  }

  async #resources(groupVersion: GroupVersion): Promise<readonly ApiResource[] | undefined> {
    try {
      return await this.#discovery.resources(groupVersion).catch((error: unknown) => absentIfNotFound(error));
    } catch (error) {
      throw new DiscoveryError(new Map([[apiVersionOf(groupVersion), error]]));
    }
  }

  // Returns whether the request is that of an earlier call.
  async #once(key: string, learn: () => Promise<void>): Promise<boolean> {
    const shared = this.#underWay.get(key);
    const underWay =
      shared ??
      // Others share the request, so it must not end with the reconcile that comes first.
      withoutCallScope(learn).finally(() => {
        this.#underWay.delete(key);
      });
    this.#underWay.set(key, underWay);
    await underWay;
    return shared !== undefined;
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

function mappingsOf({ group, version }: GroupVersion, resources: readonly ApiResource[]): readonly KnownMapping[] {
  return resources
    .filter(({ name, kind }) => !name.includes("/") && kind !== "")
    .map(({ name, kind, namespaced, singularName: singular }) => {
      const gvk = { group, version, kind };
      const gvr = { group, version, resource: name };
      return { gvk, gvr, singular, mapping: { gvk, gvr, scope: namespaced ? "namespaced" : "cluster" } };
    });
}
