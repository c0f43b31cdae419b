import type { GroupKind, GroupVersion, GroupVersionKind, GroupVersionResource } from "@kubescaffold/k8s";

import type { ResourceCatalog } from "./resource-catalog.ts";
import type { ResourceType } from "./resource-type.ts";
import { compareVersions } from "./version-order.ts";

/** Knows all resource types that are served, and finds them. */
export class Registry implements ResourceCatalog {
  readonly #builtIn: readonly ResourceType[];
  #types = new Map<string, ResourceType>();
  #custom: readonly ResourceType[] = [];
  #groupVersions = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #generation = 0;

  constructor(builtIn: readonly ResourceType[]) {
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
    return this.all().find((type) => type.kind === kind && type.group === group && type.version === version);
  }

  preferred({ group, kind }: GroupKind): ResourceType | undefined {
    return this.all().find((type) => type.kind === kind && type.group === group);
  }

  /** Says whether any resource of a group-version is served. */
  servesGroupVersion({ group, version }: GroupVersion): boolean {
    return this.#groupVersions.has(`${group}/${version}`);
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
