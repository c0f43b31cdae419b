import type { Container, PodSpec } from "@kubescaffold/k8s/core/v1";
import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";

/** What checks look at: a Pod, or the template of a workload. */
export interface PodSubject {
  readonly metadata: ObjectMeta;
  readonly spec: PodSpec;
}

/** A violation of a Pod security standard; `detail` may be empty. */
export interface Violation {
  readonly reason: string;
  readonly detail: string;
}

/** Returns the violation of a Pod, or undefined where it has none. */
export type PodCheck = (pod: PodSubject) => Violation | undefined;

/** A check in the versions of its standard. */
export interface VersionedCheck {
  readonly id: string;
  /** In ascending order of the minor version in which each begins. */
  readonly versions: readonly {
    readonly since: number;
    readonly check: PodCheck;
    /** The baseline checks that a restricted check replaces. */
    readonly replaces?: readonly string[];
  }[];
}

/** Returns all containers: init containers first, ephemeral containers last. */
export function containersOf({
  initContainers = [],
  containers,
  ephemeralContainers = [],
}: PodSpec): readonly Container[] {
  return [...initContainers, ...containers, ...(ephemeralContainers as unknown as readonly Container[])];
}

/** Returns the names of the containers that a predicate selects. */
export function namesOf(spec: PodSpec, isBad: (container: Container) => boolean): readonly string[] {
  return containersOf(spec)
    .filter((container) => isBad(container))
    .map(({ name }) => name);
}

/** Names containers: `container "a"`, `containers "a", "b"`. */
export function containerText(names: readonly string[]): string {
  return `${plural(names, "container", "containers")} ${quoted(names)}`;
}

/** Names the Pod, containers, or both: `pod and container "a"`. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  return [...(isPod ? ["pod"] : []), ...(containers.length === 0 ? [] : [containerText(containers)])].join(" and ");
}

/** Quotes values as upstream's joinQuote does, which escapes nothing. */
export function quoted(values: readonly string[]): string {
  return values.length === 0 ? "" : `"${values.join('", "')}"`;
}

/** Chooses the word for a number of values. */
export function plural(values: readonly unknown[], one: string, many: string): string {
  return values.length === 1 ? one : many;
}

/** Returns values once each, in order. */
export function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted();
}
