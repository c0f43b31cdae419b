import type { AuthorizationAttributes } from "../pipeline/extension-points.ts";

/** How much of a request is logged. */
export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";

/** A moment in the handling of a request. */
export type AuditStage = "RequestReceived" | "ResponseStarted" | "ResponseComplete" | "Panic";

/** Resources that a rule matches, such as `pods`, `pods/log`, `pods/*`, `*\/scale`, or `*`. */
export interface AuditGroupResources {
  /** The API group. Default: the core group. */
  readonly group?: string;
  /** The resources. Default: all of the group. */
  readonly resources?: readonly string[];
  /** The names of the objects. Default: all. */
  readonly resourceNames?: readonly string[];
}

/** Determines the level of the requests that match all given fields. */
export interface AuditPolicyRule {
  /** The level. */
  readonly level: AuditLevel;
  /** Names of users, before impersonation. */
  readonly users?: readonly string[];
  /** Groups of users. */
  readonly userGroups?: readonly string[];
  /** Verbs. */
  readonly verbs?: readonly string[];
  /** Resources. */
  readonly resources?: readonly AuditGroupResources[];
  /** Namespaces; the empty text stands for cluster-scoped resources. */
  readonly namespaces?: readonly string[];
  /** Paths that are not about resources; a star at the end matches any rest. */
  readonly nonResourceURLs?: readonly string[];
  /** Stages that are not logged, in addition to those of the policy. */
  readonly omitStages?: readonly AuditStage[];
  /** Whether field owners are left out of logged objects. Default: as in the policy. */
  readonly omitManagedFields?: boolean;
}

/** A policy of `audit.k8s.io/v1`: the first rule that matches a request determines its level; without one, it is not logged. */
export interface AuditPolicy {
  /** The rules in order. */
  readonly rules: readonly AuditPolicyRule[];
  /** Stages that are not logged. */
  readonly omitStages?: readonly AuditStage[];
  /** Whether field owners are left out of logged objects. */
  readonly omitManagedFields?: boolean;
}

/** What a policy says about one request. */
export interface AuditTerms {
  readonly level: AuditLevel;
  readonly omitStages: readonly AuditStage[];
  readonly omitManagedFields: boolean;
}

/** The levels in order. */
export const AUDIT_LEVELS: readonly AuditLevel[] = ["None", "Metadata", "Request", "RequestResponse"];

/** The stages of a request. */
export const AUDIT_STAGES: readonly AuditStage[] = ["RequestReceived", "ResponseStarted", "ResponseComplete", "Panic"];

/** The attributes of a request that rules match; without a user if it could not be authenticated. */
export type AuditedAttributes = Omit<AuthorizationAttributes, "user"> & Partial<Pick<AuthorizationAttributes, "user">>;

/** Returns how a request is logged. */
export function auditTerms(policy: AuditPolicy, attributes: AuditedAttributes): AuditTerms {
  const rule = policy.rules.find((each) => matches(each, attributes));
  return {
    level: rule?.level ?? "None",
    omitStages: [...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])],
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

function matches(rule: AuditPolicyRule, attributes: AuditedAttributes): boolean {
  const { users = [], userGroups = [], verbs = [], resources = [], namespaces = [], nonResourceURLs = [] } = rule;
  const { user, verb, isResourceRequest, path } = attributes;
  if (users.length > 0 && (user === undefined || !users.includes(user.name))) return false;
  if (userGroups.length > 0 && !userGroups.some((group) => user?.groups.includes(group) === true)) return false;
  if (verbs.length > 0 && !verbs.includes(verb)) return false;
  if (resources.length > 0 || namespaces.length > 0) {
    const isInNamespaces = namespaces.length === 0 || namespaces.includes(attributes.namespace);
    const isOfResources = resources.length === 0 || resources.some((each) => matchesResource(each, attributes));
    return isResourceRequest && isInNamespaces && isOfResources;
  }
  return nonResourceURLs.length === 0 || (!isResourceRequest && nonResourceURLs.some((url) => matchesPath(url, path)));
}

function matchesPath(url: string, path: string): boolean {
  return url === path || (url.endsWith("*") && path.startsWith(url.slice(0, -1)));
}

function matchesResource(
  { group = "", resources = [], resourceNames = [] }: AuditGroupResources,
  attributes: AuditedAttributes,
): boolean {
  if (group !== attributes.group) return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(attributes.name)) return false;
  const { resource, subresource } = attributes;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some(
    (each) =>
      each === full ||
      each === "*" ||
      (subresource !== "" && each === `*/${subresource}`) ||
      (each.endsWith("/*") && each.slice(0, -2) === resource),
  );
}
