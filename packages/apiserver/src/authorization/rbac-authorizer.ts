import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type Authorizer,
  includesOrStar,
} from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { UserInfo } from "../request/request-context.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** The API group of roles and bindings. */
export const RBAC_GROUP = "rbac.authorization.k8s.io";
const CLUSTER_ROLES = { group: RBAC_GROUP, resource: "clusterroles" } as const;
const CLUSTER_ROLE_BINDINGS = { group: RBAC_GROUP, resource: "clusterrolebindings" } as const;
const ROLES = { group: RBAC_GROUP, resource: "roles" } as const;
const ROLE_BINDINGS = { group: RBAC_GROUP, resource: "rolebindings" } as const;

/** Members of this group may do everything, whatever the roles say. */
export const MASTERS = "system:masters";

/** Decides by the stored roles and bindings; there are no rules that forbid, and the first that allows wins. */
export function rbacAuthorizer(context: ServerContext): Authorizer {
  return { authorize: (attributes) => decide(context, attributes) };
}

/** One rule that applies to a user, and why it does. */
interface GrantedRule {
  readonly rule: PolicyRule;
  readonly reason: string;
}

/** Lists the rules that apply to a user in a namespace; the empty namespace leaves out what roles in namespaces grant. */
export function rulesOf(
  context: ServerContext,
  user: UserInfo,
  namespace: string,
): { readonly granted: readonly GrantedRule[]; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const granted = bindingsOf(context, namespace).flatMap((binding) => {
    const subject = subjectsOf(binding).find((each) => matchesSubject(each, user, binding.metadata.namespace ?? ""));
    if (subject === undefined) return [];
    const role = roleOf(context, binding);
    if (role.rules === undefined) missing.push(`${role.resource}.${RBAC_GROUP} "${role.name}" not found`);
    const reason = `RBAC: allowed by ${describeBinding(binding)} of ${role.kind} "${role.name}" to ${describeSubject(subject, binding)}`;
    return (role.rules ?? []).map((rule) => ({ rule, reason }));
  });
  return { granted, missing };
}

function decide(context: ServerContext, attributes: AuthorizationAttributes): AuthorizationDecision {
  if (attributes.user.groups.includes(MASTERS)) return { allowed: true, reason: "" };
  const { granted, missing } = rulesOf(context, attributes.user, attributes.namespace);
  const grant = granted.find(({ rule }) => ruleAllows(rule, attributes));
  if (grant !== undefined) return { allowed: true, reason: grant.reason };
  if (missing.length === 0) return { allowed: false, reason: "" };
  const reason = `RBAC: ${joinErrors(missing)}`;
  return { allowed: false, reason: context.release.since("1.37") ? `rbac: ${reason}` : reason };
}

/** Puts several errors into brackets, each once. */
export function joinErrors(messages: readonly string[]): string {
  const unique = [...new Set(messages)];
  return unique.length === 1 ? (unique[0] ?? "") : `[${unique.join(", ")}]`;
}

function bindingsOf(context: ServerContext, namespace: string): readonly ApiObject[] {
  const cluster = context.objects.list(CLUSTER_ROLE_BINDINGS);
  return namespace === "" ? cluster : [...cluster, ...context.objects.list(ROLE_BINDINGS, namespace)];
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

function subjectsOf(binding: ApiObject): readonly Subject[] {
  return (binding["subjects"] ?? []) as readonly Subject[];
}

function matchesSubject(subject: Subject, user: UserInfo, bindingNamespace: string): boolean {
  switch (subject.kind) {
    case "User":
      return subject.name === user.name;
    case "Group":
      return user.groups.includes(subject.name);
    case "ServiceAccount": {
      const namespace = subject.namespace || bindingNamespace;
      return namespace !== "" && user.name === `system:serviceaccount:${namespace}:${subject.name}`;
    }
    default:
      return false;
  }
}

/** The role that a binding refers to. */
interface BoundRole {
  readonly kind: string;
  readonly resource: string;
  readonly name: string;
  /** Absent when the role does not exist. */
  readonly rules: readonly PolicyRule[] | undefined;
}

/** Looks the role of a binding up. */
export function roleOf(context: ServerContext, binding: ApiObject): BoundRole {
  const { kind, name } = binding["roleRef"] as { readonly kind: string; readonly name: string };
  const isClusterRole = kind === "ClusterRole";
  const resource = isClusterRole ? CLUSTER_ROLES : ROLES;
  const role = context.objects.get(resource, {
    namespace: isClusterRole ? "" : (binding.metadata.namespace ?? ""),
    name,
  });
  return {
    kind,
    resource: resource.resource.replace(/s$/u, ""),
    name,
    rules: role === undefined ? undefined : ((role["rules"] ?? []) as readonly PolicyRule[]),
  };
}

function describeBinding(binding: ApiObject): string {
  const { name = "", namespace = "" } = binding.metadata;
  return namespace === "" ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
}

function describeSubject(subject: Subject, binding: ApiObject): string {
  if (subject.kind !== "ServiceAccount") return `${subject.kind} "${subject.name}"`;
  return `ServiceAccount "${subject.name}/${subject.namespace ?? binding.metadata.namespace ?? ""}"`;
}

/** One rule of a role. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** Reports whether a rule allows what is asked, by upstream's algorithm. */
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
      allowed === "*" ||
      allowed === path ||
      (allowed.endsWith("*") && path.startsWith(allowed.replace(/(?<!\*)\*+$/u, ""))),
  );
}
