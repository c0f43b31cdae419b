import type { AuthorizationAttributes } from "../pipeline/authorizer.ts";

/** What a role allows, as its objects carry it. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Says whether a rule allows what is asked, by upstream's algorithm. */
export function ruleAllows(rule: PolicyRule, attributes: Omit<AuthorizationAttributes, "user">): boolean {
  if (!includesOrStar(rule.verbs, attributes.verb)) return false;
  return attributes.isResourceRequest ? allowsResource(rule, attributes) : allowsPath(rule, attributes.path);
}

function allowsResource(rule: PolicyRule, attributes: Omit<AuthorizationAttributes, "user">): boolean {
  const { group, resource, subresource, name } = attributes;
  const names = rule.resourceNames ?? [];
  return (
    includesOrStar(rule.apiGroups, group) &&
    (rule.resources ?? []).some((allowed) => matchesResource(allowed, resource, subresource)) &&
    (names.length === 0 || names.includes(name))
  );
}

function matchesResource(allowed: string, resource: string, subresource: string): boolean {
  const asked = subresource === "" ? resource : `${resource}/${subresource}`;
  return allowed === "*" || allowed === asked || (subresource !== "" && allowed === `*/${subresource}`);
}

function allowsPath(rule: PolicyRule, path: string): boolean {
  return (rule.nonResourceURLs ?? []).some(
    (allowed) =>
      allowed === "*" || allowed === path || (allowed.endsWith("*") && path.startsWith(allowed.replace(/\*+$/u, ""))),
  );
}

function includesOrStar(values: readonly string[] | undefined, value: string): boolean {
  return (values ?? []).some((each) => each === "*" || each === value);
}
