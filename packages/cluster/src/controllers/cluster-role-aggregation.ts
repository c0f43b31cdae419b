import {
  type ApiObject,
  type Controller,
  type ControllerIdentity,
  defineController,
  type InProcessController,
  type InternalClient,
  type ServerContext,
  storeController,
  storedSelectorMatcher,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound } from "@kubescaffold/k8s";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";
import type { PolicyRule } from "@kubescaffold/k8s/rbac/v1";
import { deepEqual } from "@kubescaffold/schema/values";

const CLUSTER_ROLES = { group: "rbac.authorization.k8s.io", version: "v1", resource: "clusterroles" } as const;

/** Fills the rules of cluster roles that aggregate others with the rules of those. */
export const CLUSTER_ROLE_AGGREGATION: Controller = defineController({
  name: "clusterrole-aggregation-controller",
  rules: [
    {
      apiGroups: ["rbac.authorization.k8s.io"],
      resources: ["clusterroles"],
      verbs: ["escalate", "get", "list", "patch", "update", "watch"],
    },
  ],
  create: createController,
});

function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  const aggregating = (): readonly string[] =>
    context.objects
      .list(CLUSTER_ROLES)
      .filter((role) => selectorsOf(role).length > 0)
      .map((role) => role.metadata.name ?? "");
  return storeController({
    name: self.name,
    context,
    watches: [CLUSTER_ROLES],
    keysOf: aggregating,
    initialKeys: aggregating,
    work: async (name) => await aggregate(context, client, name),
  });
}

async function aggregate(context: ServerContext, client: InternalClient, name: string): Promise<void> {
  const role = context.objects.get(CLUSTER_ROLES, { namespace: "", name });
  if (role === undefined || selectorsOf(role).length === 0) return;
  const rules = aggregatedRules(context, role);
  if (deepEqual(rules, role["rules"] ?? [])) return;
  try {
    await client.update({ ...CLUSTER_ROLES, namespace: "", name }, { ...role, rules } as never);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

// Selector by selector, each one's roles by name, every rule once.
function aggregatedRules(context: ServerContext, role: ApiObject): readonly unknown[] {
  const others = context.objects.list(CLUSTER_ROLES).filter(({ metadata }) => metadata.name !== role.metadata.name);
  const rules = selectorsOf(role)
    .map((selector) => storedSelectorMatcher(selector))
    .flatMap((isMatch) => others.filter(({ metadata }) => isMatch(metadata.labels)))
    .flatMap((other) => (other["rules"] ?? []) as readonly PolicyRule[]);
  return [...new Map(rules.map((rule) => [identityOf(rule), rule])).values()];
}

function identityOf(rule: PolicyRule): string {
  return JSON.stringify([rule.verbs, rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs]);
}

function selectorsOf(role: ApiObject): readonly LabelSelector[] {
  const rule = role["aggregationRule"] as { readonly clusterRoleSelectors?: readonly LabelSelector[] } | undefined;
  return rule?.clusterRoleSelectors ?? [];
}
