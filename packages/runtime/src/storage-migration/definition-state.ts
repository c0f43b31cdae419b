import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

import type { Stored } from "../client/partial-object.ts";
import { type ConversionService, conversionServiceOf } from "./conversion-replicas.ts";

/** The facts of a CRD that a migration depends on. */
export interface DefinitionState {
  /** The name of the CRD, such as `guestbooks.webapp.my.domain`. */
  readonly name: string;
  /** Distinguishes the CRD from former ones of its name. */
  readonly uid: string;
  /** Changes with every change of `spec`, and so with the storage version. */
  readonly generation: number;
  /** The version of the CRD that was read. */
  readonly resourceVersion: string;
  /** The kind in the version of requests: the storage version, or the first served one where that is not served. */
  readonly kind: GroupVersionKind;
  /** The version in which API servers store objects that are written. */
  readonly storageVersion: string;
  /** `status.storedVersions`: the versions in which objects may be stored. */
  readonly storedVersions: readonly string[];
  /** The versions of `spec.versions` that requests may use. */
  readonly servedVersions: readonly string[];
  /** The versions of `spec.versions` that requests may not use. */
  readonly unservedVersions: readonly string[];
  /** The Service that converts between versions; undefined without one. */
  readonly conversionService: ConversionService | undefined;
}

/** Reads the facts of a CRD; undefined if no version is served, so that its objects cannot be read. */
export function definitionState({
  metadata,
  spec,
  status,
}: Stored<CustomResourceDefinition>): DefinitionState | undefined {
  const served = spec.versions.filter((version) => version.served).map(({ name }) => name);
  const storageVersion = spec.versions.find(({ storage }) => storage)?.name ?? "";
  const version = served.includes(storageVersion) ? storageVersion : served[0];
  if (version === undefined) return undefined;
  return {
    name: metadata.name,
    uid: metadata.uid,
    generation: metadata.generation ?? 0,
    resourceVersion: metadata.resourceVersion,
    kind: { group: spec.group, version, kind: spec.names.kind },
    storageVersion,
    storedVersions: status?.storedVersions ?? [],
    servedVersions: served,
    unservedVersions: spec.versions.filter((each) => !each.served).map(({ name }) => name),
    conversionService: conversionServiceOf(spec),
  };
}

/** Returns whether objects may be stored in another version than the storage version. */
export function hasOldVersions({ storedVersions, storageVersion }: DefinitionState): boolean {
  return storedVersions.some((version) => version !== storageVersion);
}

/** Returns whether managed fields of a version must be moved to that of requests: the version is no longer served, or about to be dropped. */
export function isLeavingVersion(state: DefinitionState, version: string): boolean {
  if (version === state.kind.version || version === state.storageVersion) return false;
  return !state.servedVersions.includes(version) || state.storedVersions.includes(version);
}
