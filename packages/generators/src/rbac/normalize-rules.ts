import { compareBytes } from "../output/compare-bytes.ts";

/** A permission: which verbs on which resources or addresses. */
export interface RbacRule {
  /** The API groups. */
  readonly groups: readonly string[];
  /** The resources, with subresources as `resource/subresource`. */
  readonly resources: readonly string[];
  /** The names of objects; all when empty. */
  readonly resourceNames: readonly string[];
  /** The paths that are no resources. */
  readonly urls: readonly string[];
  /** The allowed verbs. */
  readonly verbs: readonly string[];
}

/**
 * Joins rules that differ in one list only, step by step as upstream does, and sorts them.
 *
 * Guarantees: the rules together allow exactly what they allowed before; rules that become alike on the way keep the verbs of both,
 * where upstream loses one of them.
 */
export function normalizeRules(rules: readonly RbacRule[]): readonly RbacRule[] {
  const sorted = rules.map((rule) => sortLists(rule));
  const joined = (["resources", "groups", "urls"] as const).reduce(joinBoth, joinAlong(sorted, "verbs"));
  return joined
    .toSorted((left, right) => compareBytes(sortKey(left), sortKey(right)))
    .map((rule) => (rule.verbs.includes("*") ? { ...rule, verbs: ["*"] } : rule));
}

// After lists were joined, two rules may be about the same thing with different verbs.
function joinBoth(rules: readonly RbacRule[], field: keyof RbacRule): readonly RbacRule[] {
  const joined = joinAlong(rules, field);
  return joined === rules ? rules : joinAlong(joined, "verbs");
}

const LISTS: readonly (keyof RbacRule)[] = ["groups", "resources", "resourceNames", "urls", "verbs"];

// Rules that agree in every list but one become one rule with the union of that list.
function joinAlong(rules: readonly RbacRule[], field: keyof RbacRule): readonly RbacRule[] {
  const groups = new Map<string, [RbacRule, ...RbacRule[]]>();
  const others = LISTS.filter((each) => each !== field);
  for (const rule of rules) {
    const key = JSON.stringify(others.map((each) => rule[each]));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [rule]);
    else group.push(rule);
  }
  if (groups.size === rules.length) return rules;
  return [...groups.values()].map(([first, ...more]) =>
    more.length === 0 ? first : { ...first, [field]: sortedUnion(first[field], ...more.map((each) => each[field])) },
  );
}

function sortLists(rule: RbacRule): RbacRule {
  return {
    groups: sortedUnion(rule.groups),
    resources: sortedUnion(rule.resources),
    resourceNames: sortedUnion(rule.resourceNames),
    urls: sortedUnion(rule.urls),
    verbs: sortedUnion(rule.verbs),
  };
}

function sortedUnion(...lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  // Nearly all lists of a marker.
  if (others.length === 0 && first.length < 2) return first;
  return [...new Set(lists.flat())].toSorted(compareBytes);
}

function sortKey({ groups, resources, resourceNames, urls }: RbacRule): string {
  return [groups, resources, resourceNames, urls].map((list) => list.join("&")).join(" + ");
}
