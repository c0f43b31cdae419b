import type { PolicyRule } from "./policy-rule.ts";

/** Returns the parts of rules that no rule of their owner covers, each for one verb on one resource or path. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap((rule) => breakDown(rule)).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** Puts the verbs of parts on one resource together, and prints every rule in one line, in order. */
export function describeRules(rules: readonly PolicyRule[]): readonly string[] {
  return [...new Set(compact(rules).map((rule) => describe(rule)))].toSorted((left, right) => (left < right ? -1 : 1));
}

function breakDown(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames ?? [];
  const resources = (rule.apiGroups ?? []).flatMap((group) =>
    (rule.resources ?? []).flatMap((resource) =>
      rule.verbs.flatMap((verb): readonly PolicyRule[] => {
        const part = { verbs: [verb], apiGroups: [group], resources: [resource] };
        return names.length === 0 ? [part] : names.map((name) => ({ ...part, resourceNames: [name] }));
      }),
    ),
  );
  const paths = (rule.nonResourceURLs ?? []).flatMap((path) =>
    rule.verbs.map((verb): PolicyRule => ({ verbs: [verb], nonResourceURLs: [path] })),
  );
  return [...resources, ...paths];
}

function covers(held: PolicyRule, part: PolicyRule): boolean {
  const names = held.resourceNames ?? [];
  return (
    includesAll(held.verbs, part.verbs) &&
    includesAll(held.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every((resource) => coversResource(held.resources ?? [], resource)) &&
    (part.nonResourceURLs ?? []).every((path) => coversPath(held.nonResourceURLs ?? [], path)) &&
    (names.length === 0 || ((part.resourceNames ?? []).length > 0 && includesAll(names, part.resourceNames)))
  );
}

function includesAll(values: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return values.includes("*") || wanted.every((each) => values.includes(each));
}

function coversResource(held: readonly string[], resource: string): boolean {
  const subresource = resource.split("/")[1];
  return (
    held.includes("*") || held.includes(resource) || (subresource !== undefined && held.includes(`*/${subresource}`))
  );
}

function coversPath(held: readonly string[], path: string): boolean {
  return held.some(
    (each) => each === "*" || each === path || (each.endsWith("*") && path.startsWith(each.replace(/\*+$/u, ""))),
  );
}

function compact(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, ...about } = rule;
    // Paths are listed verb by verb.
    const key = JSON.stringify(rule.nonResourceURLs === undefined ? about : rule);
    const known = merged.get(key);
    merged.set(key, { ...rule, verbs: [...new Set([...(known?.verbs ?? []), ...verbs])] });
  }
  return [...merged.values()];
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
