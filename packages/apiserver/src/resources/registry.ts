import type { GroupKind, GroupVersion, GroupVersionKind, GroupVersionResource, GroupResource } from "@kubescaffold/k8s";
import type { JsonSchema } from "@kubescaffold/schema/values";

import type { Release } from "../release/release.ts";
import type { Strategy } from "./strategy.ts";

/** One served resource, in one version. */
export interface ServedResource extends GroupVersionResource {
  /** The kind of its objects. */
  readonly kind: string;
  /** The kind of its lists. */
  readonly listKind: string;
  /** The singular name. */
  readonly singular: string;
  /** Whether objects are in namespaces. */
  readonly isNamespaced: boolean;
  /** Whether a CustomResourceDefinition defines it. */
  readonly isCustom: boolean;
  /** Short names for kubectl, such as `deploy`. */
  readonly shortNames: readonly string[];
  /** Groups of resources for kubectl, such as `all`. */
  readonly categories: readonly string[];
  /** The verbs that it supports. */
  readonly verbs: readonly string[];
  /** The names of its subresources. */
  readonly subresources: readonly string[];
  /** Where its objects are stored; several served resources may share one place. */
  readonly storedAs: GroupResource;
}

/** The served resources. */
export interface ResourceCatalog {
  /** Returns all served resources, the preferred version of each group first. */
  all(): readonly ServedResource[];
  /** Returns the resource with a plural name; undefined if it is not served. */
  find(gvr: GroupVersionResource): ServedResource | undefined;
  /** Returns the resource of a kind; undefined if it is not served. */
  findByKind(gvk: GroupVersionKind): ServedResource | undefined;
  /** Returns the preferred version of a kind. */
  preferred(groupKind: GroupKind): ServedResource | undefined;
  /** Returns the schema of a custom resource by its kind; undefined for other kinds. */
  schemaOf(gvk: GroupVersionKind): JsonSchema | undefined;
  /** Calls back when the served resources change; returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** A served resource with all that is needed to handle requests for it. */
export interface ResourceType extends ServedResource {
  /** The release of the server that serves it. */
  readonly release: Release;
  /** Made on first use. */
  readonly strategy: () => Strategy;
  /** Returns the strategy for objects of a subresource of another kind, such as Scale; undefined for kinds without a definition. */
  readonly strategyOf?: (kind: GroupVersionKind) => Strategy | undefined;
  /** Columns for `kubectl get`; loaded and made on first use. */
  readonly columns: () => Promise<TableColumns>;
  /** The schema of a custom resource, for OpenAPI. */
  readonly schema?: () => JsonSchema | undefined;
  /** Changes whenever the schema of a custom resource does. */
  readonly schemaIdentity?: string;
  /** The paths of the fields by which a custom resource is selected, for OpenAPI. */
  readonly selectableFields?: readonly string[];
  /** Sent with every answer, for versions that are deprecated. */
  readonly deprecationWarning?: string;
  /** The kinds and verbs of the subresources. */
  readonly subresourceTypes: readonly SubresourceType[];
  /** The version in which objects of a built-in kind are stored. Default: the served one. */
  readonly storedVersion?: string;
  /** A resource without the verbs of storage. */
  readonly isVirtual?: boolean;
  /** Verbs that are answered although discovery does not list them. */
  readonly unlistedVerbs?: readonly string[];
  /** Refuses creates, with a reason, while its definition is being deleted. */
  readonly createsRefusedFor?: string;
}

/** An endpoint below the objects of a resource. */
export interface SubresourceType extends GroupVersionKind {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** One column of a table. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** How objects are printed as rows. */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** Returns the cells of an object; ages are relative to a moment. */
  cells(object: { readonly [field: string]: unknown }, nowMs: number): readonly unknown[];
}

/** Returns the group and resource, as failures name it. */
export function groupResourceOf(type: ServedResource): GroupResource {
  return { group: type.group, resource: type.resource };
}

/** Returns a function that makes its value on the first call. */
export function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => (value ??= { made: make() }).made;
}

/** Knows all resource types that are served, and finds them. */
export class Registry implements ResourceCatalog {
  /** The release whose built-in resources are served. */
  readonly release: Release;
  readonly #builtIn: readonly ResourceType[];
  #types = new Map<string, ResourceType>();
  #kinds = new Map<string, ResourceType>();
  #custom: readonly ResourceType[] = [];
  #groupVersions = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;

  constructor(release: Release, builtIn: readonly ResourceType[]) {
    this.release = release;
    this.#builtIn = builtIn;
    this.#index();
  }

  /** Grows whenever the set of served resources changes. */
  get generation(): number {
    return this.#generation;
  }

  all(): readonly ResourceType[] {
    return [...this.#types.values()];
  }

  find(gvr: GroupVersionResource): ResourceType | undefined {
    return this.#types.get(typeKey(gvr));
  }

  findByKind({ group, version, kind }: GroupVersionKind): ResourceType | undefined {
    return this.#kinds.get(`${group}/${version}/${kind}`);
  }

  schemaOf(gvk: GroupVersionKind): JsonSchema | undefined {
    return this.findByKind(gvk)?.schema?.();
  }

  preferred({ group, kind }: GroupKind): ResourceType | undefined {
    return this.all().find((type) => type.kind === kind && type.group === group);
  }

  /** Reports whether any resource of a group-version is served. */
  servesGroupVersion({ group, version }: GroupVersion): boolean {
    return this.#groupVersions.has(`${group}/${version}`);
  }

  /** Reports whether a group is one of Kubernetes: its routes answer for all versions, also for those that are not served. */
  hasBuiltInGroup(group: string): boolean {
    return this.#builtIn.some((type) => type.group === group);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Replaces the custom resources. */
  setCustom(types: readonly ResourceType[]): void {
    this.#custom = types;
    this.#index();
    this.#listeners.forEach((listener) => listener());
  }

  #index(): void {
    const types = [...this.#builtIn, ...this.#custom].sort(
      (left, right) => compareGroups(left, right) || compareVersions(left.version, right.version),
    );
    this.#types = new Map(types.map((type) => [typeKey(type), type]));
    this.#kinds = new Map();
    for (const type of this.#types.values()) {
      const key = `${type.group}/${type.version}/${type.kind}`;
      if (!this.#kinds.has(key)) this.#kinds.set(key, type);
    }
    this.#groupVersions = new Set(types.map(({ group, version }) => `${group}/${version}`));
    this.#generation += 1;
  }
}

function typeKey({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}/${resource}`;
}

// Built-in groups keep their order, custom ones follow by name.
function compareGroups(left: ResourceType, right: ResourceType): number {
  if (left.isCustom !== right.isCustom) {
    return left.isCustom ? 1 : -1;
  }
  return left.group === right.group ? 0 : left.group < right.group ? -1 : 1;
}

const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGES: Readonly<Record<string, number>> = { alpha: 1, beta: 2 };

/** Orders versions by stability and number, the most stable and newest first: v2, v1, v1beta2, v1alpha1, others by name. */
export function compareVersions(left: string, right: string): number {
  const [leftRank, rightRank] = [rankOf(left), rankOf(right)];
  if (leftRank === undefined || rightRank === undefined) {
    return (
      (leftRank === undefined ? 1 : 0) - (rightRank === undefined ? 1 : 0) || (left < right ? -1 : left > right ? 1 : 0)
    );
  }
  for (const [index, rank] of leftRank.entries()) {
    const difference = (rightRank[index] ?? 0) - rank;
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

const ranks = new Map<string, readonly number[] | undefined>();

function rankOf(version: string): readonly number[] | undefined {
  if (!ranks.has(version)) ranks.set(version, parseRank(version));
  return ranks.get(version);
}

function parseRank(version: string): readonly number[] | undefined {
  const match = VERSION.exec(version);
  if (match === null) {
    return undefined;
  }
  const [, major = "0", stage, minor = "0"] = match;
  return [stage === undefined ? 3 : (STAGES[stage] ?? 0), Number(major), Number(minor)];
}
