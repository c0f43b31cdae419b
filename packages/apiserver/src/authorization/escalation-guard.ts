import { deepEqual } from "@kubescaffold/schema";

import type { AdmissionAttributes, AdmissionPlugin } from "../pipeline/admission-plugin.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { forbidden, notFound } from "../request/failures.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { PolicyRule } from "./policy-rule.ts";
import { joinErrors, MASTERS, RBAC_GROUP, roleOf, rulesOf } from "./rbac-authorizer.ts";
import { describeRules, uncoveredRules } from "./rule-coverage.ts";

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
    validate: async (attributes) => {
      if (!isGuarded(attributes) || attributes.user.groups.includes(MASTERS)) return;
      const { object, oldObject } = attributes;
      if (object === undefined || (oldObject !== undefined && changesOnlyCollection(object, oldObject))) return;
      if (attributes.resource.resource.endsWith("bindings")) await guardBinding(context, attributes, object);
      else await guardRole(context, attributes, object);
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
  if (await mayDo(context, attributes, { verb: "escalate", resource: attributes.resource.resource })) return;
  confirmHeld(context, attributes, rulesIn(role));
  if (role["aggregationRule"] === undefined || role["aggregationRule"] === null) return;
  const { granted } = rulesOf(context, attributes.user, "");
  const held = granted.map(({ rule }) => rule);
  if (uncoveredRules(held, EVERYTHING).length > 0) {
    throw refusal(attributes, "must have cluster-admin privileges to use the aggregationRule");
  }
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
  { user, namespace, name }: AdmissionAttributes,
  action: { readonly verb: string; readonly resource: string; readonly name?: string },
): Promise<boolean> {
  const { allowed } = await context.authorizer.authorize({
    isResourceRequest: true,
    path: "",
    group: RBAC_GROUP,
    version: "*",
    subresource: "",
    namespace,
    name,
    ...action,
    user,
  });
  return allowed;
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
  if (uncovered.length === 0) return;
  const groups = user.groups.map((group) => JSON.stringify(group)).join(" ");
  const errors = missing.length === 0 ? "" : `; resolution errors: [${joinErrors(missing)}]`;
  throw refusal(
    attributes,
    `user ${JSON.stringify(user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${describeRules(uncovered).join("\n")}${errors}`,
  );
}

function refusal({ resource, name }: AdmissionAttributes, message: string): Error {
  return forbidden({ groupResource: { group: resource.group, resource: resource.resource }, name }, message);
}
