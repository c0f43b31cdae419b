/** A permission: which verbs on which resources or addresses. */
export interface RbacRule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly urls: readonly string[];
  readonly verbs: readonly string[];
}

/**
 * Joins rules that differ in one list only, step by step as upstream does, and sorts them.
 *
 * Guarantees: the rules together allow exactly what they allowed before; rules that become alike on the way keep the verbs of both,
 * where upstream loses one of them.
 */
export function normalizeRules(rules: readonly RbacRule[]): readonly RbacRule[] {
  const joined = (["verbs", "resources", "groups", "urls"] as const).reduce<readonly RbacRule[]>(
    (current, field) => joinLike(joinAlong(current, field)),
    rules.map((rule) => sortLists(rule)),
  );
  return joined
    .toSorted((left, right) => compareText(sortKey(left), sortKey(right)))
    .map((rule) => (rule.verbs.includes("*") ? { ...rule, verbs: ["*"] } : rule));
}

// Rules that agree in every list but one become one rule with the union of that list.
function joinAlong(rules: readonly RbacRule[], field: keyof RbacRule): readonly RbacRule[] {
  const groups = new Map<string, [RbacRule, ...RbacRule[]]>();
  for (const rule of rules) {
    const key = JSON.stringify({ ...rule, [field]: [] });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [rule]);
    else group.push(rule);
  }
  return [...groups.values()].map(([first, ...others]) =>
    others.length === 0
      ? first
      : { ...first, [field]: sortedUnion(first[field], ...others.map((each) => each[field])) },
  );
}

// After lists were joined, two rules may be about the same thing with different verbs.
function joinLike(rules: readonly RbacRule[]): readonly RbacRule[] {
  return joinAlong(rules, "verbs");
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
  return [...new Set(lists.flat())].toSorted(compareText);
}

function sortKey({ groups, resources, resourceNames, urls }: RbacRule): string {
  return [groups, resources, resourceNames, urls].map((list) => list.join("&")).join(" + ");
}

function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
