import { storedSelectorMatcher } from "@kubescaffold/apiserver/cluster-api";
import { labelSelectorMatcher } from "@kubescaffold/k8s";
import type { Node, Pod, PodAffinityTerm } from "@kubescaffold/k8s/core/v1";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";

import type { NodeWithPods } from "./cluster-nodes.ts";
import type { FilterResult } from "./filter-result.ts";

/** Returns the labels of a namespace. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>>;

type Term = PodAffinityTerm & { readonly weight: number };

const REQUIRED_WEIGHT = 1;

/** Creates the filter for the required affinity between pods, in both directions; undefined if no pod has any. */
export function podAffinityFilter(
  pod: Pod,
  nodes: readonly NodeWithPods[],
  labelsOf: NamespaceLabels,
): ((node: Node) => FilterResult) | undefined {
  const affinity = requiredTerms(pod.spec?.affinity?.podAffinity);
  const antiAffinity = requiredTerms(pod.spec?.affinity?.podAntiAffinity);
  const near = new Domains();
  const apart = new Domains();
  const refused = new Domains();
  for (const { node, pods } of nodes) {
    for (const { pod: existing } of pods) {
      if (matchesAll(affinity, pod, existing, labelsOf)) for (const term of affinity) near.count(node, term);
      for (const term of antiAffinity) if (matches(term, pod, existing, labelsOf)) apart.count(node, term);
      for (const term of requiredTerms(existing.spec?.affinity?.podAntiAffinity)) {
        if (matches(term, existing, pod, labelsOf)) refused.count(node, term);
      }
    }
  }
  if (affinity.length === 0 && antiAffinity.length === 0 && refused.isEmpty) return undefined;
  // The first pod of a group that wants to be together has nobody to be near.
  const isFirst = near.isEmpty && matchesAll(affinity, pod, pod, labelsOf);
  return (node) => {
    const hasTopology = affinity.every(({ topologyKey }) => node.metadata.labels?.[topologyKey] !== undefined);
    if (!hasTopology || !(isFirst || affinity.every((term) => near.of(node, term) > 0))) {
      return { reasons: ["node(s) didn't match pod affinity rules"], isFinal: true };
    }
    if (antiAffinity.some((term) => apart.of(node, term) > 0)) {
      return { reasons: ["node(s) didn't match pod anti-affinity rules"], isFinal: false };
    }
    return refused.hasAny(node)
      ? { reasons: ["node(s) didn't satisfy existing pods anti-affinity rules"], isFinal: false }
      : undefined;
  };
}

/** Returns how much the affinity between pods speaks for a node; undefined if no pod has any. */
export function podAffinityScore(
  pod: Pod,
  nodes: readonly NodeWithPods[],
  labelsOf: NamespaceLabels,
): ((node: Node) => number) | undefined {
  const wanted = preferredTerms(pod.spec?.affinity?.podAffinity, 1);
  const unwanted = preferredTerms(pod.spec?.affinity?.podAntiAffinity, -1);
  const domains = new Domains();
  for (const { node, pods } of nodes) {
    for (const { pod: existing } of pods) {
      for (const term of [...wanted, ...unwanted]) {
        if (matches(term, pod, existing, labelsOf)) domains.count(node, term);
      }
      const { podAffinity, podAntiAffinity } = existing.spec?.affinity ?? {};
      if (podAffinity === undefined && podAntiAffinity === undefined) continue;
      for (const term of [
        ...requiredTerms(podAffinity),
        ...preferredTerms(podAffinity, 1),
        ...preferredTerms(podAntiAffinity, -1),
      ]) {
        if (matches(term, existing, pod, labelsOf)) domains.count(node, term);
      }
    }
  }
  return domains.isEmpty ? undefined : (node) => domains.sum(node);
}

interface Affinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

function requiredTerms(affinity: Affinity | undefined): readonly Term[] {
  const terms = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map((term) => ({ ...term, weight: REQUIRED_WEIGHT }));
}

function preferredTerms(affinity: Affinity | undefined, sign: 1 | -1): readonly Term[] {
  const terms = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return terms.map(({ weight, podAffinityTerm }) => ({ ...podAffinityTerm, weight: sign * weight }));
}

function matchesAll(terms: readonly Term[], owner: Pod, other: Pod, labelsOf: NamespaceLabels): boolean {
  return terms.length > 0 && terms.every((term) => matches(term, owner, other, labelsOf));
}

// Reports whether a term of one pod is about another.
function matches(term: Term, owner: Pod, other: Pod, labelsOf: NamespaceLabels): boolean {
  const { namespaces = [], namespaceSelector } = term;
  const { namespace = "" } = other.metadata;
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined && namespace === owner.metadata.namespace;
  const isNamed = isOwn || namespaces.includes(namespace);
  if (!isNamed && !storedSelectorMatcher(namespaceSelector)(labelsOf(namespace))) return false;
  return podMatcher(term, owner)(other.metadata.labels);
}

type PodMatcher = ReturnType<typeof labelSelectorMatcher>;

// A term of one pod is compared with all others.
const POD_MATCHERS = new WeakMap<Term, PodMatcher>();

function podMatcher(term: Term, owner: Pod): PodMatcher {
  const known = POD_MATCHERS.get(term) ?? labelSelectorMatcher(withLabelKeys(term, owner));
  POD_MATCHERS.set(term, known);
  return known;
}

/** Adds the requirements of `matchLabelKeys` and `mismatchLabelKeys` to the selector of a term. */
export function withLabelKeys(
  {
    labelSelector,
    matchLabelKeys = [],
    mismatchLabelKeys = [],
  }: {
    readonly labelSelector?: LabelSelector;
    readonly matchLabelKeys?: readonly string[];
    readonly mismatchLabelKeys?: readonly string[];
  },
  { metadata }: Pod,
): LabelSelector | undefined {
  if (labelSelector === undefined || (matchLabelKeys.length === 0 && mismatchLabelKeys.length === 0)) {
    return labelSelector;
  }
  const requirements = (keys: readonly string[], operator: "In" | "NotIn") =>
    keys.flatMap((key) => {
      const value = metadata.labels?.[key];
      return value === undefined ? [] : [{ key, operator, values: [value] }];
    });
  return {
    ...labelSelector,
    matchExpressions: [
      ...(labelSelector.matchExpressions ?? []),
      ...requirements(matchLabelKeys, "In"),
      ...requirements(mismatchLabelKeys, "NotIn"),
    ],
  };
}

// Counts by topology key and the value of a node's label.
class Domains {
  readonly #counts = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  count({ metadata }: Node, { topologyKey, weight }: Term): void {
    const value = metadata.labels?.[topologyKey];
    if (value === undefined) return;
    const counts = this.#counts.get(topologyKey) ?? new Map<string, number>();
    this.#counts.set(topologyKey, counts.set(value, (counts.get(value) ?? 0) + weight));
  }

  of({ metadata }: Node, { topologyKey }: Term): number {
    return this.#counts.get(topologyKey)?.get(metadata.labels?.[topologyKey] ?? "") ?? 0;
  }

  sum({ metadata }: Node): number {
    let sum = 0;
    for (const [key, counts] of this.#counts) sum += counts.get(metadata.labels?.[key] ?? "") ?? 0;
    return sum;
  }

  hasAny(node: Node): boolean {
    return this.sum(node) > 0;
  }
}
