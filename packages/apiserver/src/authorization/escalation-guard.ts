import { deepEqual } from "@kubescaffold/schema/values";

import {
  type AdmissionAttributes,
  type AdmissionPlugin,
  checkPermission,
  refusal,
} from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { notFound } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { type PolicyRule, joinErrors, MASTERS, RBAC_GROUP, roleOf, rulesOf } from "./rbac-authorizer.ts";
import { areCovered, describeUncovered, isCovered, partsOf, uncoveredRules } from "./rule-coverage.ts";

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/**
 * Lets users write only roles and bindings that grant nothing beyond what they may do themselves.
 *
 * The verbs `escalate` on roles and `bind` on roles that are bound lift this; so does membership of `system:masters`.
 */
export function escalationGuard(context: ServerContext): AdmissionPlugin {
  return {
    name: "EscalationGuard",
    // As upstream: after all other plugins have changed the object, and before it is validated.
    mutate: async (attributes) => {
      if (!isGuarded(attributes) || attributes.user.groups.includes(MASTERS)) return undefined;
      const { object, oldObject } = attributes;
      if (object === undefined || (oldObject !== undefined && changesOnlyCollection(object, oldObject)))
        return undefined;
      if (attributes.resource.resource.endsWith("bindings")) await guardBinding(context, attributes, object);
      else await guardRole(context, attributes, object);
      return undefined;
    },
  };
}

const GUARDED: ReadonlySet<string> = new Set(["roles", "clusterroles", "rolebindings", "clusterrolebindings"]);

function isGuarded({ resource, operation }: AdmissionAttributes): boolean {
  const isWrite = operation === "CREATE" || operation === "UPDATE";
  return isWrite && resource.group === RBAC_GROUP && GUARDED.has(resource.resource);
}

// Whoever may write may do what garbage collection needs.
function changesOnlyCollection(object: ApiObject, old: ApiObject): boolean {
  return deepEqual(withoutCollectionFields(object), withoutCollectionFields(old));
}

function withoutCollectionFields({ metadata, ...others }: ApiObject): unknown {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...kept } = metadata;
  return { ...others, metadata: kept };
}

async function guardRole(context: ServerContext, attributes: AdmissionAttributes, role: ApiObject): Promise<void> {
  const { resource, requestName, oldObject } = attributes;
  if (await mayDo(context, attributes, { verb: "escalate", resource: resource.resource, name: requestName })) return;
  confirmHeld(context, attributes, rulesIn(role));
  if (!isAggregated(role) && (oldObject === undefined || !isAggregated(oldObject))) return;
  const { granted } = rulesOf(context, attributes.user, "");
  const held = granted.map(({ rule }) => rule);
  if (!areCovered(held, EVERYTHING)) {
    throw refusal(attributes, "must have cluster-admin privileges to use the aggregationRule");
  }
}

// An aggregation gathers anything, and removing it keeps what it has gathered.
function isAggregated(role: ApiObject): boolean {
  const rule = role["aggregationRule"] as
    | { readonly clusterRoleSelectors?: readonly unknown[] | null }
    | null
    | undefined;
  return (rule?.clusterRoleSelectors ?? []).length > 0;
}

async function guardBinding(
  context: ServerContext,
  attributes: AdmissionAttributes,
  binding: ApiObject,
): Promise<void> {
  const role = roleOf(context, binding);
  const resource = role.kind === "ClusterRole" ? "clusterroles" : "roles";
  if (await mayDo(context, attributes, { verb: "bind", resource, name: role.name })) return;
  if (role.rules === undefined) throw notFound({ groupResource: attributes.resource, name: role.name });
  confirmHeld(context, attributes, role.rules);
}

async function mayDo(
  context: ServerContext,
  { user, namespace }: AdmissionAttributes,
  action: { readonly verb: string; readonly resource: string; readonly name: string },
): Promise<boolean> {
  const asked = {
    isResourceRequest: true,
    path: "",
    group: RBAC_GROUP,
    version: "*",
    subresource: "",
    namespace,
    ...action,
    user,
  };
  return (await checkPermission(context, asked, { isOptional: true })).allowed;
}

function rulesIn(role: ApiObject): readonly PolicyRule[] {
  return (role["rules"] ?? []) as readonly PolicyRule[];
}

function confirmHeld(context: ServerContext, attributes: AdmissionAttributes, wanted: readonly PolicyRule[]): void {
  const { user, namespace } = attributes;
  const { granted, missing } = rulesOf(context, user, namespace);
  const uncovered = uncoveredRules(
    granted.map(({ rule }) => rule),
    wanted,
  );
  if (isCovered(uncovered)) return recordHeld(context, attributes, wanted);
  const groups = user.groups.map((group) => JSON.stringify(group)).join(" ");
  const errors = missing.length === 0 ? "" : `; resolution errors: [${joinErrors(missing)}]`;
  throw refusal(
    attributes,
    `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${describeUncovered(uncovered).join("\n")}${errors}`,
  );
}

// Whoever grants a permission needs it, although no request uses it.
function recordHeld(
  { permissions }: ServerContext,
  { user, namespace }: AdmissionAttributes,
  granted: readonly PolicyRule[],
): void {
  for (const part of firstParts(granted)) {
    const [verb = ""] = part.verbs;
    const [group = ""] = part.apiGroups ?? [];
    const [resource = "", ...subresource] = (part.resources?.[0] ?? "").split("/");
    const [path = ""] = part.nonResourceURLs ?? [];
    const isResourceRequest = path === "";
    const place = { group, version: "*", resource, subresource: subresource.join("/"), namespace, name: "", path };
    permissions.record({ ...place, isResourceRequest, verb, user }, true);
  }
}

// A rule of a few kilobytes stands for billions of permissions.
const MAX_RECORDED = 10_000;

function firstParts(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const first: PolicyRule[] = [];
  for (const rule of rules) {
    for (const part of partsOf(rule)) {
      if (first.push(part) === MAX_RECORDED) return first;
    }
  }
  return first;
}
