import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from "@kubescaffold/k8s/flowcontrol/v1";

import type { RequestClassifier } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { RequestInfo, UserInfo } from "../request/request-context.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Where FlowSchemas are stored. */
export const FLOW_SCHEMAS = { group: "flowcontrol.apiserver.k8s.io", resource: "flowschemas" } as const;

/** Where PriorityLevelConfigurations are stored. */
export const PRIORITY_LEVELS = {
  group: "flowcontrol.apiserver.k8s.io",
  resource: "prioritylevelconfigurations",
} as const;

const DEFAULT_PRECEDENCE = 1000;
const SERVICE_ACCOUNT_PREFIX = "system:serviceaccount:";

/** Finds the FlowSchema of each request, which its response names with its priority level. */
export function flowClassifier({ objects }: ServerContext): RequestClassifier {
  let listed: readonly ApiObject[] = [];
  let ordered: readonly FlowSchema[] = [];
  const schemas = (): readonly FlowSchema[] => {
    const current = objects.list(FLOW_SCHEMAS);
    const isSame = current.length === listed.length && current.every((object, index) => object === listed[index]);
    if (!isSame) {
      listed = current;
      ordered = inOrder(current);
    }
    return ordered;
  };
  const levelOf = ({ spec }: FlowSchema): ApiObject | undefined =>
    objects.get(PRIORITY_LEVELS, { namespace: "", name: spec?.priorityLevelConfiguration.name ?? "" });
  return {
    headersFor: (info, user) => {
      for (const schema of schemas()) {
        const level = matches(schema, info, user) ? levelOf(schema) : undefined;
        // Those whose priority level does not exist match nothing.
        if (level === undefined) continue;
        return {
          "X-Kubernetes-PF-FlowSchema-UID": schema.metadata.uid ?? "",
          "X-Kubernetes-PF-PriorityLevel-UID": level.metadata.uid ?? "",
        };
      }
      return {};
    },
  };
}

function inOrder(schemas: readonly FlowSchema[]): readonly FlowSchema[] {
  const precedence = ({ spec }: FlowSchema): number => spec?.matchingPrecedence ?? DEFAULT_PRECEDENCE;
  return schemas.toSorted(
    (left, right) =>
      precedence(left) - precedence(right) || ((left.metadata.name ?? "") < (right.metadata.name ?? "") ? -1 : 1),
  );
}

function matches({ spec }: FlowSchema, info: RequestInfo, user: UserInfo): boolean {
  return (spec?.rules ?? []).some((rule) => matchesRule(rule, info, user));
}

function matchesRule(
  { subjects, resourceRules = [], nonResourceRules = [] }: PolicyRulesWithSubjects,
  info: RequestInfo,
  user: UserInfo,
): boolean {
  if (!subjects.some((subject) => isSubject(subject, user))) return false;
  return info.isResourceRequest
    ? resourceRules.some((rule) => matchesResource(rule, info))
    : nonResourceRules.some((rule) => matchesPath(rule, info));
}

function isSubject({ kind, user, group, serviceAccount }: Subject, { name, groups }: UserInfo): boolean {
  switch (kind) {
    case "User":
      return user?.name === "*" || user?.name === name;
    case "Group":
      return group?.name === "*" || groups.includes(group?.name ?? "");
    case "ServiceAccount": {
      const prefix = `${SERVICE_ACCOUNT_PREFIX}${serviceAccount?.namespace ?? ""}:`;
      return serviceAccount?.name === "*" ? name.startsWith(prefix) : name === `${prefix}${serviceAccount?.name ?? ""}`;
    }
    default:
      return false;
  }
}

function matchesResource(
  { verbs, resources, apiGroups, clusterScope = false, namespaces = [] }: ResourcePolicyRule,
  { verb, resource, subresource, group, namespace }: RequestInfo,
): boolean {
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  return (
    names(verbs, verb) &&
    names(resources, full) &&
    names(apiGroups, group) &&
    (namespace === "" ? clusterScope : names(namespaces, namespace))
  );
}

function matchesPath({ verbs, nonResourceURLs }: NonResourcePolicyRule, { verb, path }: RequestInfo): boolean {
  return (
    names(verbs, verb) && nonResourceURLs.some((url) => url === "*" || url === path || path.startsWith(folder(url)))
  );
}

function folder(url: string): string {
  const prefix = url.replace(/\*$/u, "");
  return prefix.endsWith("/") ? prefix : `${prefix}/`;
}

// A star stands alone.
function names(list: readonly string[], value: string): boolean {
  return (list.length === 1 && list[0] === "*") || list.includes(value);
}
