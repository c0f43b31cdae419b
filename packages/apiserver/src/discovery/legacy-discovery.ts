import { createHash } from "node:crypto";

import { apiVersionOf, type GroupVersion } from "@kubescaffold/k8s";

import type { Registry, ResourceType } from "../resources/registry.ts";

/** The body of `/api`, with the address at which clients reach the server. */
export function apiVersions(serverAddress: string): object {
  return {
    kind: "APIVersions",
    versions: ["v1"],
    serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress }],
  };
}

/** The body of `/apis`. */
export function apiGroupList(registry: Registry): object {
  const groups = groupsOf(registry).filter((group) => group !== "");
  return { kind: "APIGroupList", apiVersion: "v1", groups: groups.map((group) => groupEntry(registry, group)) };
}

/** The body of `/apis/<group>`, if the group is served. */
export function apiGroup(registry: Registry, group: string): object | undefined {
  return versionsOf(registry, group).length === 0
    ? undefined
    : { kind: "APIGroup", apiVersion: "v1", ...groupEntry(registry, group) };
}

/** The body of `/api/v1` and `/apis/<group>/<version>`, if the group-version is served. */
export function apiResourceList(registry: Registry, groupVersion: GroupVersion): object | undefined {
  const types = typesOf(registry, groupVersion);
  return types.length === 0
    ? undefined
    : {
        kind: "APIResourceList",
        ...(groupVersion.group === "" ? {} : { apiVersion: "v1" }),
        groupVersion: apiVersionOf(groupVersion),
        resources: apiResources(types),
      };
}

/** Returns the groups that are served, in the order of their priorities: built-in groups, then custom ones by name. */
export function groupsOf(registry: Registry): readonly string[] {
  const groups = [...new Set(registry.all().map(({ group }) => group))];
  const known = registry.release.api.groups;
  const builtIn = known.filter((group) => groups.includes(group));
  return [...builtIn, ...groups.filter((group) => !known.includes(group))];
}

/** Returns the versions of a group, the preferred one first. */
export function versionsOf(registry: Registry, group: string): readonly string[] {
  return [
    ...new Set(
      registry
        .all()
        .filter((type) => type.group === group)
        .map(({ version }) => version),
    ),
  ];
}

/** Returns the resources of a group-version. */
export function typesOf(registry: Registry, { group, version }: GroupVersion): readonly ResourceType[] {
  return registry.all().filter((type) => type.group === group && type.version === version);
}

function groupEntry(registry: Registry, group: string): object {
  const versions = versionsOf(registry, group).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

/** Returns the entries of an `APIResourceList`: each resource, followed by its subresources. */
function apiResources(types: readonly ResourceType[]): readonly unknown[] {
  return types.flatMap((type) => [
    resourceEntry(type),
    ...type.subresourceTypes.map((entry) => subresourceEntry(type, entry)),
  ]);
}

function resourceEntry(type: ResourceType): unknown {
  return {
    name: type.resource,
    singularName: type.singular,
    namespaced: type.isNamespaced,
    kind: type.kind,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.isVirtual === true ? {} : { storageVersionHash: storageVersionHash(type) }),
  };
}

function subresourceEntry(type: ResourceType, entry: ResourceType["subresourceTypes"][number]): unknown {
  const isOther = entry.group !== type.group || entry.version !== type.version;
  return {
    name: `${type.resource}/${entry.name}`,
    singularName: "",
    namespaced: type.isNamespaced,
    ...(isOther ? { group: entry.group, version: entry.version } : {}),
    kind: entry.kind,
    verbs: entry.verbs,
  };
}

const HASH_BYTES = 8;

// Lets clients detect resources that share their storage.
function storageVersionHash({ storedAs, version, storedVersion = version, kind }: ResourceType): string {
  const identity = `${storedAs.group}/${storedVersion}/${kind}`;
  return createHash("sha256").update(identity).digest().subarray(0, HASH_BYTES).toString("base64");
}
