import { addToList } from "@kubescaffold/platform";

import type { PolicyRule } from "./rbac-authorizer.ts";

// A rule of a few kilobytes has billions of parts: it names groups, resources, verbs, and names apart.
const MAX_PARTS = 200_000;
const MAX_STEPS = 2_000_000;
const MAX_LINES = 10_000;

/** The parts of wanted rules that no held rule covers. */
export interface Uncovered {
  readonly parts: readonly PolicyRule[];
  /** Whether there were too many parts to look at all: 200,000, or 2,000,000 comparisons. */
  readonly isCutOff: boolean;
}

/**
 * Returns the parts of rules that no rule of their owner covers, each for one verb on one resource or path.
 *
 * A rule that one held rule covers as a whole is not divided. What cannot be looked at within the bounds counts as not covered.
 */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Uncovered {
  const index = new HeldRules(held);
  const parts: PolicyRule[] = [];
  let count = 0;
  for (const rule of wanted) {
    if (index.cover(rule)) continue;
    for (const part of partsOf(rule)) {
      count += 1;
      if (count > MAX_PARTS || index.isSpent) return { parts, isCutOff: true };
      if (!index.cover(part)) parts.push(part);
    }
  }
  return { parts, isCutOff: false };
}

/** Reports whether held rules cover all parts of others. */
export function areCovered(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): boolean {
  return isCovered(uncoveredRules(held, wanted));
}

/** Reports whether nothing is left over. What could not be looked at within the bounds is left over. */
export function isCovered({ parts, isCutOff }: Uncovered): boolean {
  return parts.length === 0 && !isCutOff;
}

/** Divides a rule into parts for one verb on one resource, name, or path, in the order of kube-apiserver. */
export function* partsOf({
  verbs,
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
}: PolicyRule): Generator<PolicyRule, void, undefined> {
  for (const group of apiGroups) {
    for (const resource of resources) {
      for (const verb of verbs) {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] };
        if (resourceNames.length === 0) yield part;
        for (const name of resourceNames) yield { ...part, resourceNames: [name] };
      }
    }
  }
  for (const path of nonResourceURLs) {
    for (const verb of verbs) yield { verbs: [verb], nonResourceURLs: [path] };
  }
}

/** Prints what is not covered as {@link describeRules} does, and a last line where there is more. */
export function describeUncovered({ parts, isCutOff }: Uncovered): readonly string[] {
  const lines = describeRules(parts);
  if (!isCutOff) return lines;
  return [
    ...lines,
    `and more: a role is compared in at most ${String(MAX_PARTS)} parts; grant it in several, or with *`,
  ];
}

/**
 * Puts the verbs of parts on one resource together, and prints every rule in one line, in order.
 *
 * At most 10,000 lines are printed, and one with the number of the others.
 */
export function describeRules(rules: readonly PolicyRule[]): readonly string[] {
  const lines = [...new Set(compact(rules).map((rule) => describe(rule)))].toSorted((left, right) =>
    left < right ? -1 : 1,
  );
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `and ${String(lines.length - MAX_LINES)} more`];
}

interface HeldRule {
  readonly verbs: ReadonlySet<string>;
  readonly groups: ReadonlySet<string>;
  readonly resources: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  /** The beginnings of paths that end in a star. */
  readonly prefixes: readonly string[];
}

/** Rules by their groups and by their resources, so that a part is compared with few of them. */
class HeldRules {
  #steps: number = 0;
  readonly #byGroup: Map<string, HeldRule[]> = new Map();
  readonly #byResource: Map<string, HeldRule[]> = new Map();
  readonly #withPaths: HeldRule[] = [];

  constructor(rules: readonly PolicyRule[]) {
    // A role that is bound several times is held once.
    for (const rule of new Set(rules)) {
      const held = heldRule(rule);
      for (const group of held.groups) addToList(this.#byGroup, group, held);
      for (const resource of held.resources) addToList(this.#byResource, resource, held);
      if (held.paths.size > 0) this.#withPaths.push(held);
    }
  }

  /** Whether more was compared than is for one request; nothing is covered from then on. */
  get isSpent(): boolean {
    return this.#steps > MAX_STEPS;
  }

  /** Reports whether one held rule covers all parts of a rule. */
  cover(rule: PolicyRule): boolean {
    return this.#candidates(rule).some((list) => list.some((held) => !this.isSpent && this.#covers(held, rule)));
  }

  #candidates({ apiGroups = [], resources = [] }: PolicyRule): readonly (readonly HeldRule[])[] {
    const [[group], [resource]] = [apiGroups, resources];
    if (group === undefined || resource === undefined) return [this.#withPaths];
    const ofGroup = listsOf(this.#byGroup, ["*", group]);
    const ofResource = listsOf(this.#byResource, ["*", resource, subresourceOfAll(resource)]);
    return sizeOf(ofGroup) < sizeOf(ofResource) ? ofGroup : ofResource;
  }

  #covers(held: HeldRule, wanted: PolicyRule): boolean {
    const { resourceNames = [], nonResourceURLs = [] } = wanted;
    return (
      this.#every(wanted.verbs, (verb) => held.verbs.has("*") || held.verbs.has(verb)) &&
      this.#every(wanted.apiGroups, (group) => held.groups.has("*") || held.groups.has(group)) &&
      this.#every(wanted.resources, (resource) => coversResource(held.resources, resource)) &&
      this.#every(nonResourceURLs, (path) => this.#coversPath(held, path)) &&
      // A star in names is a name, as in decisions. Paths have no names.
      (held.names.size === 0 ||
        (resourceNames.length > 0 &&
          nonResourceURLs.length === 0 &&
          this.#every(resourceNames, (name) => held.names.has(name))))
    );
  }

  #every(values: readonly string[] = [], isCovered: (value: string) => boolean): boolean {
    this.#steps += 1;
    return values.every((value) => {
      this.#steps += 1;
      return isCovered(value);
    });
  }

  #coversPath({ paths, prefixes }: HeldRule, path: string): boolean {
    if (paths.has(path)) return true;
    this.#steps += prefixes.length;
    return prefixes.some((prefix) => path.startsWith(prefix));
  }
}

function heldRule({ verbs, apiGroups, resources, resourceNames, nonResourceURLs = [] }: PolicyRule): HeldRule {
  return {
    verbs: new Set(verbs),
    groups: new Set(apiGroups),
    resources: new Set(resources),
    names: new Set(resourceNames),
    paths: new Set(nonResourceURLs),
    prefixes: nonResourceURLs.filter((path) => path.endsWith("*")).map((path) => path.replace(/(?<!\*)\*+$/u, "")),
  };
}

// `*/scale` covers `pods/scale` and not `pods/scale/deeper`: all that follows the resource is the subresource.
function coversResource(held: ReadonlySet<string>, resource: string): boolean {
  return held.has("*") || held.has(resource) || held.has(subresourceOfAll(resource));
}

function subresourceOfAll(resource: string): string {
  const slash = resource.indexOf("/");
  return slash < 0 ? resource : `*${resource.slice(slash)}`;
}

function listsOf(
  index: ReadonlyMap<string, readonly HeldRule[]>,
  keys: readonly string[],
): readonly (readonly HeldRule[])[] {
  return [...new Set(keys)].flatMap((key) => [index.get(key) ?? []]);
}

function sizeOf(lists: readonly (readonly HeldRule[])[]): number {
  return lists.reduce((sum, { length }) => sum + length, 0);
}

function compact(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, { readonly rule: PolicyRule; readonly verbs: Set<string> }>();
  for (const rule of rules) {
    const { verbs, ...about } = rule;
    // Paths are listed verb by verb.
    const key = JSON.stringify(rule.nonResourceURLs === undefined ? about : rule);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { rule, verbs: new Set(verbs) });
    else for (const verb of verbs) known.verbs.add(verb);
  }
  return [...merged.values()].map(({ rule, verbs }) => ({ ...rule, verbs: [...verbs] }));
}

function describe(rule: PolicyRule): string {
  const parts = [
    quotedList("APIGroups", rule.apiGroups),
    quotedList("Resources", rule.resources),
    quotedList("NonResourceURLs", rule.nonResourceURLs),
    quotedList("ResourceNames", rule.resourceNames),
    quotedList("Verbs", rule.verbs),
  ];
  return `{${parts.filter((part) => part !== "").join(", ")}}`;
}

function quotedList(title: string, values: readonly string[] = []): string {
  return values.length === 0 ? "" : `${title}:[${values.map((value) => JSON.stringify(value)).join(" ")}]`;
}
